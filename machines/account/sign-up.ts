import { assign, sendParent, sendTo, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { CustomField } from '../model/custom-field.ts';
import type { FlowInput, FlowNews, TypedEmail } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems, SignUpForm } from '../model/session.ts';
import { signUpPath } from '../model/paths.ts';
import { afterSignInOf, type AfterSignIn } from '../model/after-sign-in.ts';
import { queryOfWay } from '../model/way.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';
import type { CameBy, SignedIn } from '../app/session.ts';
import { providersMachine } from './providers.ts';

type Context = {
  /** What the store asks for beside name, address and password. */
  customFields: CustomField[];
  /** Where the customer goes on afterwards. */
  way: AfterSignIn;
  fields: FieldProblems;
  problem: Problem | null;
  /** On the form before. */
  typed?: TypedEmail;
  /** Held only while the request is on its way. */
  pii: { form: SignUpForm | null };
};

/** Creating an account, which also signs in. */
export const signUpMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'leave'; url: string }
      | ({ type: 'session.started' } & CameBy)
      | ({ type: 'email.typed' } & TypedEmail)
      | { type: 'signUp.submitted'; pii: { form: SignUpForm } }
      | { type: 'signUp.rejected'; fields: FieldProblems };
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
    keepForm: assign({ pii: (_, form: SignUpForm) => ({ form }), fields: {}, problem: null }),
    dropForm: assign({ pii: { form: null } }),
    /** The form that comes next has it. */
    tellEmail: sendParent(({ event }) => event),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    keepProblem: keepProblem(),
    tellProviders: sendTo('providers', { type: 'page.returned' }),
    goToProvider: sendParent(({ event }) => event),
    passOn: sendParent((_, { userId, pii }: CameBy) => ({ type: 'session.started', userId, pii })),
    /** What the store asks comes first; the way goes on from there. */
    addQuestions: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: signUpPath({ ...queryOfWay(way), questions: '1' }),
      replace: true,
    })),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
  },
  guards: { isAsked: (_, { asks }: CameBy) => asks === true },
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
  on: {
    leave: { actions: 'goToProvider' },
    'session.started': [
      {
        guard: { type: 'isAsked', params: ({ event }) => event },
        actions: ['addQuestions', { type: 'passOn', params: ({ event }) => event }],
      },
      { actions: { type: 'passOn', params: ({ event }) => event } },
    ],
    'page.returned': { actions: 'tellProviders' },
  },
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
        'signUp.submitted': { target: 'checking', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'signUp.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
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
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    welcomed: { tags: 'busy' },
    failed,
  },
});
