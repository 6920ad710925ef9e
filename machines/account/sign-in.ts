import { setup } from 'xstate';
import { onForm } from '../form.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { FieldProblems, SignInForm } from '../model/account/session.ts';
import { signInPath } from '../model/paths.ts';
import { afterSignInOf } from '../model/account/after-sign-in.ts';
import { requestPort } from '../ports.ts';
import type { SignedIn } from '../app/session.ts';
import {
  accountFormActions,
  formGuards,
  onNews,
  thenWelcomed,
  type AccountFormContext,
  type FormEvents,
} from './account-form.ts';
import { passkeySignInMachine } from './passkey-sign-in.ts';
import { providersMachine } from './providers.ts';

type Context = AccountFormContext<SignInForm> & {
  /** True when a session ended in the middle of something and the customer has to be told why they are here. */
  expired: boolean;
};

type Events =
  | FormEvents
  | { type: 'signIn.submitted'; pii: { form: SignInForm } }
  | { type: 'signIn.rejected'; fields: FieldProblems };

/** Signing in: e-mail and password, checked by the server. */
export const signInMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** Stores the token by itself; rejects with `unauthorized` for a wrong e-mail or password. */
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(),
    providers: providersMachine,
    passkey: passkeySignInMachine,
  },
  actions: accountFormActions<Context, Events, SignInForm>(signInPath),
  guards: formGuards,
}).createMachine({
  id: 'signIn',
  context: ({ input }) => ({
    way: afterSignInOf(input.route.query),
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
  on: onNews,
  initial: 'asking',
  states: {
    asking: {
      meta: { spec: ['S2./signin'] },
      on: {
        'email.typed': { actions: 'tellEmail' },
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
        ...thenWelcomed,
      },
    },
    welcomed: { tags: 'busy' },
  },
});
