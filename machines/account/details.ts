import { assign, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import type { CustomField } from '../model/account/custom-field.ts';
import type { ProfileAnswers, Details, DetailsForm } from '../model/account/details.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  /** The store's own fields, asked for in addition to the name. */
  customFields: CustomField[];
  fields: FieldProblems;
  problem: Problem | null;
  /** The details were saved; false again from the next submission on. */
  saved: boolean;
  pii: { answers: ProfileAnswers | null; form: DetailsForm | null };
};

type Events =
  | { type: 'retry.pressed' }
  | { type: 'details.submitted'; pii: { form: DetailsForm } }
  | { type: 'details.rejected'; fields: FieldProblems };

/** The customer's personal details, which they can edit. */
export const detailsMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    loadDetails: requestPort<Details>(),
    saveDetails: requestPort<object, { pii: { form: DetailsForm | null } }>(),
  },
  actions: {
    keepDetails: assign({
      customFields: (_, { customFields }: Details) => customFields,
      pii: (_, { pii }: Details) => ({ answers: pii, form: null }),
      problem: null,
    }),
    ...createFormActions<Context, Events, DetailsForm>(),
    keepForm: assign({
      pii: ({ context }, form: DetailsForm) => ({ ...context.pii, form }),
      fields: {},
      problem: null,
      saved: false,
    }),
    keepSaved: assign({ saved: true, pii: ({ context }) => ({ answers: context.pii.form, form: null }) }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null, saved: false }),
  },
}).createMachine({
  id: 'details',
  context: { customFields: [], fields: {}, problem: null, saved: false, pii: { answers: null, form: null } },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/signup/fields', 'S7.user/fields/values'] },
      tags: 'busy',
      invoke: {
        id: 'loadDetails',
        src: 'loadDetails',
        onDone: { target: 'asking', actions: { type: 'keepDetails', params: getOutput } },
        onError: toFailed,
      },
    },
    asking: { on: onForm('details', 'saving') },
    saving: {
      meta: { spec: ['S7.user/details'] },
      tags: 'busy',
      invoke: {
        id: 'saveDetails',
        src: 'saveDetails',
        input: ({ context }) => ({ pii: { form: context.pii.form } }),
        onDone: { target: 'asking', actions: 'keepSaved' },
        onError: { target: 'asking', actions: ['dropForm', { type: 'keepProblem', params: getProblem }] },
      },
    },
    failed,
  },
});
