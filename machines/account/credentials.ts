import { assign, sendParent, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { keepFields, onForm } from '../form.ts';
import { keepProblem } from '../loadable.ts';
import type { NewEmail, PasswordChangeForm } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** False for who has always come by a provider or a telephone. */
  hasPassword: boolean;
  /** What was changed last, until something else is pressed. */
  changed: 'email' | 'password' | null;
  fields: FieldProblems;
  problem: Problem | null;
  /** Held only while it is on its way. */
  pii: { email: NewEmail | null; password: PasswordChangeForm | null };
};

const nothing = { email: null, password: null };

/**
 * The address and the password that the customer signs in with. Each is changed by itself, with the current password; an account that
 * has none gets its first one by a letter.
 */
export const credentialsMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'changeEmail.pressed' }
      | { type: 'changePassword.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'email.submitted'; pii: { form: NewEmail } }
      | { type: 'email.rejected'; fields: FieldProblems }
      | { type: 'password.submitted'; pii: { form: PasswordChangeForm } }
      | { type: 'password.rejected'; fields: FieldProblems };
  },
  actors: {
    /** True where nobody can say. */
    hasPassword: safePort<boolean>(),
    /**
     * Keeps the address in this browser, too; rejects with `refused`: `wrong_password`, `email_taken`, and `sign_in_again` where there is no
     * password and the customer has not signed in a moment ago.
     */
    saveEmail: requestPort<SignedIn, { pii: { form: NewEmail | null } }>(),
    /** Signs out everywhere else; rejects with `refused wrong_password`. */
    savePassword: requestPort<object, { pii: { form: PasswordChangeForm | null } }>(),
  },
  actions: {
    keepEmail: assign({ pii: (_, email: NewEmail) => ({ ...nothing, email }), fields: {}, problem: null }),
    keepPassword: assign({ pii: (_, password: PasswordChangeForm) => ({ ...nothing, password }), fields: {}, problem: null }),
    dropForm: assign({ pii: nothing }),
    keepFields: keepFields(),
    keepProblem: keepProblem(),
    keepHasPassword: assign({ hasPassword: (_, hasPassword: boolean) => hasPassword }),
    keepChanged: assign({ changed: (_, changed: 'email' | 'password') => changed }),
    startAnew: assign({ fields: {}, problem: null, changed: null }),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
  },
  guards: {
    hasPassword: ({ context }) => context.hasPassword,
  },
}).createMachine({
  id: 'credentials',
  context: { hasPassword: true, changed: null, fields: {}, problem: null, pii: nothing },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'hasPassword',
        src: 'hasPassword',
        onDone: { target: 'closed', actions: { type: 'keepHasPassword', params: outputIn } },
      },
    },
    closed: {
      on: {
        'changeEmail.pressed': { target: 'askingEmail', actions: 'startAnew' },
        'changePassword.pressed': { guard: 'hasPassword', target: 'askingPassword', actions: 'startAnew' },
      },
    },
    askingEmail: {
      on: {
        'cancel.pressed': 'closed',
        ...onForm('email', 'savingEmail', 'keepEmail'),
      },
    },
    savingEmail: {
      meta: { spec: ['S7.user/details'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'saveEmail',
        src: 'saveEmail',
        input: ({ context }) => ({ pii: { form: context.pii.email } }),
        onDone: {
          target: 'closed',
          actions: [
            { type: 'keepChanged', params: 'email' },
            { type: 'reportSession', params: outputIn },
          ],
        },
        onError: { target: 'askingEmail', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    askingPassword: {
      on: {
        'cancel.pressed': 'closed',
        ...onForm('password', 'savingPassword', 'keepPassword'),
      },
    },
    savingPassword: {
      meta: { spec: ['S7.user/details'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'savePassword',
        src: 'savePassword',
        input: ({ context }) => ({ pii: { form: context.pii.password } }),
        onDone: { target: 'closed', actions: { type: 'keepChanged', params: 'password' } },
        onError: { target: 'askingPassword', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
  },
});
