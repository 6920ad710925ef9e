import { assign, sendParent, setup } from 'xstate';
import type { SignedInUser } from '../app/session.ts';
import { keepFields, onForm } from '../form.ts';
import { keepProblem } from '../loadable.ts';
import type { NewEmail, PasswordChangeForm } from '../model/account/password.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { getOutput, getProblem, requestPort, safePort } from '../ports.ts';

type Context = {
  /** False if the customer has only ever signed in by a provider or telephone. */
  hasPassword: boolean;
  /** The credential that was changed last, until the next press. */
  changed: 'email' | 'password' | null;
  fields: FieldProblems;
  problem: Problem | null;
  /** The typed forms, held only until the request settles. */
  pii: { email: NewEmail | null; password: PasswordChangeForm | null };
};

const emptyFields = { email: null, password: null };

/**
 * The customer's e-mail address and password. Each is changed separately and requires the current
 * password, if the account has one; a first password is set by an e-mailed link.
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
    /** Whether the account has a password; true if this cannot be determined. */
    hasPassword: safePort<boolean>(),
    /**
     * Saves the e-mail address, also in this browser. Rejects with `refused`: `wrong_password`,
     * `email_taken`, or `sign_in_again` if the account has no password and the sign-in is not
     * recent.
     */
    saveEmail: requestPort<SignedInUser, { pii: { form: NewEmail | null } }>(),
    /** Saves the password and ends all other sessions; rejects with `refused wrong_password`. */
    savePassword: requestPort<object, { pii: { form: PasswordChangeForm | null } }>(),
  },
  actions: {
    keepEmail: assign({ pii: (_, email: NewEmail) => ({ ...emptyFields, email }), fields: {}, problem: null }),
    keepPassword: assign({ pii: (_, password: PasswordChangeForm) => ({ ...emptyFields, password }), fields: {}, problem: null }),
    dropForm: assign({ pii: emptyFields }),
    keepFields: keepFields(),
    keepProblem: keepProblem(),
    keepHasPassword: assign({ hasPassword: (_, hasPassword: boolean) => hasPassword }),
    keepChanged: assign({ changed: (_, changed: 'email' | 'password') => changed }),
    restart: assign({ fields: {}, problem: null, changed: null }),
    reportSession: sendParent((_, customer: SignedInUser) => ({ type: 'session.started', ...customer })),
  },
  guards: {
    hasPassword: ({ context }) => context.hasPassword,
  },
}).createMachine({
  id: 'credentials',
  context: { hasPassword: true, changed: null, fields: {}, problem: null, pii: emptyFields },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'hasPassword',
        src: 'hasPassword',
        onDone: { target: 'closed', actions: { type: 'keepHasPassword', params: getOutput } },
      },
    },
    closed: {
      on: {
        'changeEmail.pressed': { target: 'askingEmail', actions: 'restart' },
        'changePassword.pressed': { guard: 'hasPassword', target: 'askingPassword', actions: 'restart' },
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
            { type: 'reportSession', params: getOutput },
          ],
        },
        onError: { target: 'askingEmail', actions: { type: 'keepProblem', params: getProblem } },
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
        onError: { target: 'askingPassword', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
  },
});
