import { assign, sendParent, setup } from 'xstate';
import { createFormActions, onForm } from '../form.ts';
import type { OwnPassword } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort, safePort } from '../ports.ts';

type Context = {
  /** False if the customer has only ever signed in by a provider or telephone. */
  hasPassword: boolean;
  fields: FieldProblems;
  problem: Problem | null;
  /** The typed password, held only until the request settles. */
  pii: { form: OwnPassword | null };
};

type Events =
  | { type: 'delete.pressed' }
  | { type: 'cancel.pressed' }
  | { type: 'deletion.submitted'; pii: { form: OwnPassword } }
  | { type: 'deletion.rejected'; fields: FieldProblems }
  | { type: 'leave.pressed' };

/** Account deletion: explains the consequences, and asks for the password if there is one. */
export const deletionMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
  },
  actors: {
    /** Whether the account has a password; true if this cannot be determined. */
    hasPassword: safePort<boolean>(),
    /**
     * Signs in again with the password, deletes the account and clears the session. Rejects with
     * `unauthorized` for a wrong password; without a password, with `refused sign_in_again` if the
     * sign-in is not recent.
     */
    deleteAccount: requestPort<object, { pii: { form: OwnPassword | null } }>(),
  },
  actions: {
    ...createFormActions<Context, Events, OwnPassword>(),
    restart: assign({ fields: {}, problem: null }),
    keepHasPassword: assign({ hasPassword: (_, hasPassword: boolean) => hasPassword }),
    /** Reloads the page so that no customer data stays in memory. */
    leave: sendParent({ type: 'leave', url: '/' }),
  },
}).createMachine({
  id: 'deletion',
  context: { hasPassword: true, fields: {}, problem: null, pii: { form: null } },
  initial: 'closed',
  states: {
    closed: { entry: 'restart', on: { 'delete.pressed': 'looking' } },
    looking: {
      tags: 'busy',
      invoke: {
        id: 'hasPassword',
        src: 'hasPassword',
        onDone: { target: 'asking', actions: { type: 'keepHasPassword', params: getOutput } },
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
        onError: { target: 'asking', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    gone: { on: { 'leave.pressed': { actions: 'leave' } } },
  },
});
