import { assign, sendParent, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import type { CustomField, CustomValues } from '../model/account/custom-field.ts';
import type { Details } from '../model/account/details.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { readAfterSignIn, type AfterSignIn } from '../model/account/after-sign-in.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

/** The submitted answers by field id. */
export type AnswersForm = { custom: CustomValues };

type Context = {
  /** The page and action to continue with. */
  way: AfterSignIn;
  /** The store's questions. */
  customFields: CustomField[];
  fields: FieldProblems;
  problem: Problem | null;
  pii: { answers: CustomValues; form: AnswersForm | null };
};

/** The store's questions; `isOpen` if a required question has no answer. */
export type Questions = Details & { isOpen: boolean };

type Events =
  | FlowSignal
  | { type: 'retry.pressed' }
  | { type: 'answers.submitted'; pii: { form: AnswersForm } }
  | { type: 'answers.rejected'; fields: FieldProblems };

/**
 * Asks a store's questions of customers who signed in by a provider or telephone and thus saw no
 * sign-up form. They can answer, and then continue on the requested page, or sign out.
 */
export const questionsMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    loadQuestions: requestPort<Questions>(),
    saveAnswers: requestPort<object, { pii: { form: AnswersForm | null } }>(),
  },
  actions: {
    keepQuestions: assign({
      customFields: (_, { customFields }: Details) => customFields,
      pii: (_, { pii }: Details) => ({ answers: pii.custom, form: null }),
      problem: null,
    }),
    ...createFormActions<Context, Events, AnswersForm>(),
    dropAnswers: assign({ pii: { answers: {}, form: null } }),
    /** Resumes the action that was pressed before sign-in. */
    goAfterAnswers: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: way.path,
      replace: true,
      ...(way.action === null ? {} : { resume: way.action }),
    })),
    /**
     * Continues without the action, which must not run if only a link opened this page.
     */
    goToDestination: sendParent(({ context: { way } }) => ({ type: 'go', to: way.path, replace: true })),
  },
  guards: {
    isOpen: (_, { isOpen }: Questions) => isOpen,
  },
}).createMachine({
  id: 'questions',
  context: ({ input }) => ({
    way: readAfterSignIn(input.route.query),
    customFields: [],
    fields: {},
    problem: null,
    pii: { answers: {}, form: null },
  }),
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/signup/fields', 'S7.user/fields/values'] },
      tags: 'busy',
      invoke: {
        id: 'loadQuestions',
        src: 'loadQuestions',
        onDone: [
          {
            guard: { type: 'isOpen', params: getOutput },
            target: 'asking',
            actions: { type: 'keepQuestions', params: getOutput },
          },
          { target: 'answered', actions: 'goToDestination' },
        ],
        onError: toFailed,
      },
    },
    asking: { on: onForm('answers', 'saving') },
    saving: {
      meta: { spec: ['S7.user/details'] },
      tags: 'busy',
      invoke: {
        id: 'saveAnswers',
        src: 'saveAnswers',
        input: ({ context }) => ({ pii: { form: context.pii.form } }),
        onDone: { target: 'answered', actions: ['dropAnswers', 'goAfterAnswers'] },
        onError: { target: 'asking', actions: ['dropForm', { type: 'keepProblem', params: getProblem }] },
      },
    },
    answered: { tags: 'busy' },
    failed,
  },
});
