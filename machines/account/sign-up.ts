import { assign, setup } from 'xstate';
import { onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import type { CustomField } from '../model/account/custom-field.ts';
import type { FlowInput } from '../flows/flow-input.ts';
import type { FieldProblems, SignUpForm } from '../model/account/session.ts';
import { signUpPath } from '../model/paths.ts';
import { readAfterSignIn } from '../model/account/after-sign-in.ts';
import { getOutput, requestPort } from '../ports.ts';
import type { SignedInUser } from '../app/session.ts';
import {
  createAccountFormActions,
  formGuards,
  onSignal,
  welcomeOnDone,
  type AccountFormContext,
  type FormEvents,
} from './account-form.ts';
import { providersMachine } from './providers.ts';

type Context = AccountFormContext<SignUpForm> & {
  /** The store's own fields, asked for in addition to name, e-mail address and password. */
  customFields: CustomField[];
};

type Events =
  | FormEvents
  | { type: 'retry.pressed' }
  | { type: 'signUp.submitted'; pii: { form: SignUpForm } }
  | { type: 'signUp.rejected'; fields: FieldProblems };

/** Sign-up: creates an account and signs in. */
export const signUpMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** The store's own fields; empty if the store has none. */
    loadFields: requestPort<CustomField[]>(),
    /**
     * Creates the account and stores the token itself; rejects with `refused email_taken` if the
     * address has an account.
     */
    signUp: requestPort<SignedInUser, { pii: { form: SignUpForm | null } }>(),
    providers: providersMachine,
  },
  actions: {
    keepCustomFields: assign({ customFields: (_, customFields: CustomField[]) => customFields, problem: null }),
    ...createAccountFormActions<Context, Events, SignUpForm>(signUpPath),
  },
  guards: formGuards,
}).createMachine({
  id: 'signUp',
  context: ({ input }) => ({
    way: readAfterSignIn(input.route.query),
    customFields: [],
    fields: {},
    problem: null,
    pii: { form: null },
    ...(input.typed && { typed: input.typed }),
  }),
  invoke: { id: 'providers', src: 'providers', input: ({ context: { way } }) => ({ way }) },
  on: onSignal,
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/signup/fields'] },
      tags: 'busy',
      invoke: {
        id: 'loadFields',
        src: 'loadFields',
        onDone: { target: 'asking', actions: { type: 'keepCustomFields', params: getOutput } },
        onError: toFailed,
      },
    },
    asking: {
      meta: { spec: ['S2./signup'] },
      on: {
        'email.typed': { actions: 'forwardEmail' },
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
        ...welcomeOnDone,
      },
    },
    welcomed: { tags: 'busy' },
    failed,
  },
});
