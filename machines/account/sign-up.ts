import { assign, setup } from 'xstate';
import { onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import type { CustomField } from '../model/account/custom-field.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { FieldProblems, SignUpForm } from '../model/account/session.ts';
import { signUpPath } from '../model/paths.ts';
import { afterSignInOf } from '../model/account/after-sign-in.ts';
import { outputIn, requestPort } from '../ports.ts';
import type { SignedIn } from '../app/session.ts';
import {
  accountFormActions,
  formGuards,
  onNews,
  thenWelcomed,
  type AccountFormContext,
  type FormEvents,
} from './account-form.ts';
import { providersMachine } from './providers.ts';

type Context = AccountFormContext<SignUpForm> & {
  /** What the store asks for beside name, address and password. */
  customFields: CustomField[];
};

type Events =
  | FormEvents
  | { type: 'retry.pressed' }
  | { type: 'signUp.submitted'; pii: { form: SignUpForm } }
  | { type: 'signUp.rejected'; fields: FieldProblems };

/** Creating an account, which also signs in. */
export const signUpMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** What the store asks for; nothing where it asks for nothing more. */
    loadFields: requestPort<CustomField[]>(),
    /** Stores the token by itself; rejects with `refused email_taken` for an address that has an account. */
    signUp: requestPort<SignedIn, { pii: { form: SignUpForm | null } }>(),
    providers: providersMachine,
  },
  actions: {
    keepCustomFields: assign({ customFields: (_, customFields: CustomField[]) => customFields, problem: null }),
    ...accountFormActions<Context, Events, SignUpForm>(signUpPath),
  },
  guards: formGuards,
}).createMachine({
  id: 'signUp',
  context: ({ input }) => ({
    way: afterSignInOf(input.route.query),
    customFields: [],
    fields: {},
    problem: null,
    pii: { form: null },
    ...(input.typed && { typed: input.typed }),
  }),
  invoke: { id: 'providers', src: 'providers', input: ({ context: { way } }) => ({ way }) },
  on: onNews,
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/signup/fields'] },
      tags: 'busy',
      invoke: {
        id: 'loadFields',
        src: 'loadFields',
        onDone: { target: 'asking', actions: { type: 'keepCustomFields', params: outputIn } },
        onError: fails,
      },
    },
    asking: {
      meta: { spec: ['S2./signup'] },
      on: {
        'email.typed': { actions: 'tellEmail' },
        ...onForm('signUp', 'checking'),
      },
    },
    checking: {
      meta: { spec: ['S7.user/signup'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'signUp',
        src: 'signUp',
        input: ({ context }) => ({ pii: context.pii }),
        ...thenWelcomed,
      },
    },
    welcomed: { tags: 'busy' },
    failed,
  },
});
