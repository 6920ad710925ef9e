import { assign, sendParent, setup } from 'xstate';
import { formActions, onForm } from '../form.ts';
import type { OwnPassword } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** False for who has always come by a provider or a telephone. */
  hasPassword: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** Held only while the request is on its way. */
  pii: { form: OwnPassword | null };
};

type Events =
  | { type: 'delete.pressed' }
  | { type: 'cancel.pressed' }
  | { type: 'deletion.submitted'; pii: { form: OwnPassword } }
  | { type: 'deletion.rejected'; fields: FieldProblems }
  | { type: 'leave.pressed' };

/** Deleting the account: the customer reads what that means, and signs in once more, by the password where there is one. */
export const deletionMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** True where nobody can say. */
    hasPassword: safePort<boolean>(),
    /**
     * Signs in again by the password, deletes the account and forgets the session; rejects with `unauthorized` for a wrong password.
     * Without one rejects with `refused sign_in_again` where the customer has not signed in a moment ago.
     */
    deleteAccount: requestPort<object, { pii: { form: OwnPassword | null } }>(),
  },
  actions: {
    ...formActions<Context, Events, OwnPassword>(),
    startAnew: assign({ fields: {}, problem: null }),
    keepHasPassword: assign({ hasPassword: (_, hasPassword: boolean) => hasPassword }),
    /** The page is loaded anew: nothing of the customer stays in it. */
    leave: sendParent({ type: 'leave', url: '/' }),
  },
}).createMachine({
  id: 'deletion',
  context: { hasPassword: true, fields: {}, problem: null, pii: { form: null } },
  initial: 'closed',
  states: {
    closed: { entry: 'startAnew', on: { 'delete.pressed': 'looking' } },
    looking: {
      tags: 'busy',
      invoke: {
        id: 'hasPassword',
        src: 'hasPassword',
        onDone: { target: 'asking', actions: { type: 'keepHasPassword', params: outputIn } },
      },
    },
    asking: {
      on: {
        'cancel.pressed': 'closed',
        ...onForm('deletion', 'deleting'),
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
