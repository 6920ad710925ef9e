import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews, TypedEmail } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { FieldProblems, SignInForm } from '../model/session.ts';
import { signInPath } from '../model/paths.ts';
import { afterSignInOf, type AfterSignIn } from '../model/after-sign-in.ts';
import { queryOfWay } from '../model/way.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';
import type { CameBy, SignedIn } from '../app/session.ts';
import { passkeySignInMachine } from './passkey-sign-in.ts';
import { providersMachine } from './providers.ts';

type Context = {
  /** Where the customer goes on afterwards. */
  way: AfterSignIn;
  fields: FieldProblems;
  problem: Problem | null;
  /** True when a session ended in the middle of something and the customer has to be told why they are here. */
  expired: boolean;
  /** On the form before. */
  typed?: TypedEmail;
  /** Held only while the request is on its way. */
  pii: { form: SignInForm | null };
};

/** Signing in: e-mail and password, checked by the server. */
export const signInMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'leave'; url: string }
      | ({ type: 'session.started' } & CameBy)
      | ({ type: 'email.typed' } & TypedEmail)
      | { type: 'signIn.submitted'; pii: { form: SignInForm } }
      | { type: 'signIn.rejected'; fields: FieldProblems };
    input: FlowInput;
  },
  actors: {
    /** Stores the token by itself; rejects with `unauthorized` for a wrong e-mail or password. */
    signIn: requestPort<SignedIn, { pii: { form: SignInForm | null } }>(),
    providers: providersMachine,
    passkey: passkeySignInMachine,
  },
  actions: {
    keepForm: assign({ pii: (_, form: SignInForm) => ({ form }), fields: {}, problem: null }),
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
      to: signInPath({ ...queryOfWay(way), questions: '1' }),
      replace: true,
    })),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
  },
  guards: { isAsked: (_, { asks }: CameBy) => asks === true },
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
  initial: 'asking',
  states: {
    asking: {
      meta: { spec: ['S2./signin'] },
      on: {
        'email.typed': { actions: 'tellEmail' },
        'signIn.submitted': { target: 'checking', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'signIn.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
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
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: { target: 'asking', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    welcomed: { tags: 'busy' },
  },
});
