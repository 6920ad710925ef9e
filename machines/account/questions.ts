import { assign, sendParent, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import type { CustomField, CustomValues } from '../model/account/custom-field.ts';
import type { Details } from '../model/account/details.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { afterSignInOf, type AfterSignIn } from '../model/account/after-sign-in.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

/** What the customer has answered. */
export type AnswersForm = { custom: CustomValues };

type Context = {
  /** Where the customer goes on afterwards. */
  way: AfterSignIn;
  /** What the store asks its customers. */
  customFields: CustomField[];
  fields: FieldProblems;
  problem: Problem | null;
  pii: { answers: CustomValues; form: AnswersForm | null };
};

/** What the store asks, and whether something of it has no answer that it asks of everybody. */
export type Questions = Details & { isOpen: boolean };

type Events =
  | FlowNews
  | { type: 'retry.pressed' }
  | { type: 'answers.submitted'; pii: { form: AnswersForm } }
  | { type: 'answers.rejected'; fields: FieldProblems };

/**
 * What a store asks its customers, for those who came by a provider or a telephone, where no form of signing up has asked them.
 * There is no way around it but signing out; who has answered goes on with what they wanted before.
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
    ...formActions<Context, Events, AnswersForm>(),
    dropAnswers: assign({ pii: { answers: {}, form: null } }),
    /** What was pressed before signing in is taken up now. */
    goOnAsked: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: way.path,
      replace: true,
      ...(way.action === null ? {} : { resume: way.action }),
    })),
    /** Whoever was asked nothing was led here by a link: what it names is not pressed for them. */
    goOn: sendParent(({ context: { way } }) => ({ type: 'go', to: way.path, replace: true })),
  },
  guards: {
    isOpen: (_, { isOpen }: Questions) => isOpen,
  },
}).createMachine({
  id: 'questions',
  context: ({ input }) => ({
    way: afterSignInOf(input.route.query),
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
          { guard: { type: 'isOpen', params: outputIn }, target: 'asking', actions: { type: 'keepQuestions', params: outputIn } },
          { target: 'answered', actions: 'goOn' },
        ],
        onError: fails,
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
        onDone: { target: 'answered', actions: ['dropAnswers', 'goOnAsked'] },
        onError: { target: 'asking', actions: ['dropForm', { type: 'keepProblem', params: problemIn }] },
      },
    },
    answered: { tags: 'busy' },
    failed,
  },
});
