import { setup } from 'xstate';
import { onForm } from '../form.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { FieldProblems, SignInForm } from '../model/account/session.ts';
import { signInPath } from '../model/paths.ts';
import { readAfterSignIn } from '../model/account/after-sign-in.ts';
import { requestPort } from '../ports.ts';
import type { SignedInUser } from '../app/session.ts';
import {
  createAccountFormActions,
  formGuards,
  onSignal,
  welcomeOnDone,
  type AccountFormContext,
  type FormEvents,
} from './account-form.ts';
import { passkeySignInMachine } from './passkey-sign-in.ts';
import { providersMachine } from './providers.ts';

type Context = AccountFormContext<SignInForm> & {
  /** True if a session has expired: the form explains why the customer must sign in again. */
  expired: boolean;
};

type Events =
  | FormEvents
  | { type: 'signIn.submitted'; pii: { form: SignInForm } }
  | { type: 'signIn.rejected'; fields: FieldProblems };

/** Sign-in with e-mail address and password, checked by the server. */
export const signInMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /**
     * Signs in and stores the token itself; rejects with `unauthorized` for a wrong e-mail address
     * or password.
     */
    signIn: requestPort<SignedInUser, { pii: { form: SignInForm | null } }>(),
    providers: providersMachine,
    passkey: passkeySignInMachine,
  },
  actions: createAccountFormActions<Context, Events, SignInForm>(signInPath),
  guards: formGuards,
}).createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    way: readAfterSignIn(input.route.query),
    fields: {},
    problem: null,
    expired: 'expired' in input.route.query,
    pii: { form: null },
    ...(input.typed && { typed: input.typed }),
  }),
  invoke: [
    { id: 'providers', src: 'providers', input: ({ context: { way } }) => ({ way }) },
    { id: 'passkey', src: 'passkey' },
  ],
  on: onSignal,
  initial: 'asking',
  states: {
    asking: {
      meta: { spec: ['S2./signin'] },
      on: {
        'email.typed': { actions: 'forwardEmail' },
        ...onForm('signIn', 'checking'),
      },
    },
    checking: {
      meta: { spec: ['S7.user/signin'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'signIn',
        src: 'signIn',
        input: ({ context }) => ({ pii: context.pii }),
        ...welcomeOnDone,
      },
    },
    welcomed: { tags: 'busy' },
  },
});
