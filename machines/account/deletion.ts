import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { OwnPasswordForm } from '../model/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/session.ts';
import { problemIn, requestPort } from '../ports.ts';

type Context = {
  fields: FieldProblems;
  problem: Problem | null;
  /** Held only while the request is on its way. */
  pii: { form: OwnPasswordForm | null };
};

/** Deleting the account: the customer reads what that means, and signs in once more. */
export const deletionMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'delete.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'deletion.submitted'; pii: { form: OwnPasswordForm } }
      | { type: 'deletion.rejected'; fields: FieldProblems }
      | { type: 'leave.pressed' };
  },
  actors: {
    /** Signs in again, deletes the account and forgets the session; rejects with `unauthorized` for a wrong password. */
    deleteAccount: requestPort<object, { pii: { form: OwnPasswordForm | null } }>(),
  },
  actions: {
    keepForm: assign({ pii: (_, form: OwnPasswordForm) => ({ form }), fields: {}, problem: null }),
    dropForm: assign({ pii: { form: null } }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    keepProblem: keepProblem(),
    startAnew: assign({ fields: {}, problem: null }),
    /** The page is loaded anew: nothing of the customer stays in it. */
    leave: sendParent({ type: 'leave', url: '/' }),
  },
}).createMachine({
  id: 'deletion',
  context: { fields: {}, problem: null, pii: { form: null } },
  initial: 'closed',
  states: {
    closed: { entry: 'startAnew', on: { 'delete.pressed': 'asking' } },
    asking: {
      on: {
        'cancel.pressed': 'closed',
        'deletion.submitted': { target: 'deleting', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'deletion.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
      },
    },
    deleting: {
      meta: { spec: ['S6.delete-header', 'S7.user/delete'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'deleteAccount',
        src: 'deleteAccount',
        input: ({ context }) => ({ pii: context.pii }),
        onDone: 'gone',
        onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    gone: { on: { 'leave.pressed': { actions: 'leave' } } },
  },
});
