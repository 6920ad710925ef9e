import { assign, sendParent, setup } from 'xstate';
import type { CameBy } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { providerReturnPath, signInPath, withQuery } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import { afterSignInOf, type AfterSignIn } from '../model/account/after-sign-in.ts';
import { queryOfWay } from '../model/account/way.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

/** What this tab has begun: to sign in and go on, or to join a provider to the account that is signed in. */
export type BegunWay = AfterSignIn & { joins?: true };

type Context = {
  signedIn: boolean;
  /** Where the customer goes on afterwards. */
  way: AfterSignIn;
  problem: Problem | null;
};

const hasCode =
  (code: string) =>
  (_: unknown, problem: Problem): boolean =>
    problem.kind === 'refused' && problem.code === code;

/** The way back from a provider. What the provider says stands in the address, and is taken out of it before anything else. */
export const providerReturnMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'again.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Takes what the provider says, for the other ports alone. Tells what was begun; null when this tab has begun nothing. */
    takeAnswer: safePort<BegunWay | null>(),
    /**
     * Stores the token by itself. Rejects with `refused`: `provider_cancelled` when the customer did not want to,
     * `sign_in_over` when this tab has not begun it or it is too old, `email_unverified` when the account has to be opened by
     * its password, `provider_refused` and `provider_unreachable`.
     */
    finishSignIn: requestPort<CameBy>(),
    /**
     * Joins the provider to the account. Rejects with `refused` as `finishSignIn` does, and with `provider_taken` where it opens another
     * account.
     */
    joinProvider: requestPort<object>(),
  },
  actions: {
    /** Whatever was kept: only a path of this shop is gone to. */
    keepWay: assign({
      way: ({ context }, way: BegunWay | null) =>
        way === null ? context.way : { path: afterSignInOf({ return: way.path }).path, action: way.action },
    }),
    keepProblem: keepProblem(),
    /** Neither the address bar nor the history keeps what the provider said; a reload knows where to go on. */
    emptyAddress: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, queryOfWay(way)),
      replace: true,
    })),
    /** What the store asks comes first; the way goes on from there. */
    addQuestions: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, { ...queryOfWay(way), questions: '1' }),
      replace: true,
    })),
    reportSession: sendParent((_, { userId, pii }: CameBy) => ({ type: 'session.started', userId, pii })),
    /** What was wanted before is not pressed for who is signed in already: a link alone presses nothing. */
    goOn: sendParent(({ context: { way } }) => ({ type: 'go', to: way.path, replace: true })),
    goSignIn: sendParent(({ context: { way } }) => ({ type: 'go', to: signInPath(queryOfWay(way)), replace: true })),
  },
  guards: {
    isAsked: (_, { asks }: CameBy) => asks === true,
    joins: (_, way: BegunWay | null) => way?.joins === true,
    isSignedIn: ({ context }) => context.signedIn,
    isCancelled: hasCode('provider_cancelled'),
    isOver: hasCode('sign_in_over'),
    needsPassword: hasCode('email_unverified'),
  },
}).createMachine({
  id: 'providerReturn',
  context: ({ input }) => ({ signedIn: input.signedIn, way: afterSignInOf(input.route.query), problem: null }),
  initial: 'taking',
  states: {
    taking: {
      tags: 'busy',
      invoke: {
        id: 'takeAnswer',
        src: 'takeAnswer',
        onDone: [
          {
            guard: { type: 'joins', params: outputIn },
            target: 'joining',
            actions: [{ type: 'keepWay', params: outputIn }, 'emptyAddress'],
          },
          { guard: 'isSignedIn', target: 'welcomed', actions: [{ type: 'keepWay', params: outputIn }, 'goOn'] },
          { target: 'finishing', actions: [{ type: 'keepWay', params: outputIn }, 'emptyAddress'] },
        ],
      },
    },
    finishing: {
      meta: { spec: ['S2./auth0loginCallback'] },
      tags: 'busy',
      invoke: {
        id: 'finishSignIn',
        src: 'finishSignIn',
        onDone: [
          {
            guard: { type: 'isAsked', params: outputIn },
            target: 'welcomed',
            actions: ['addQuestions', { type: 'reportSession', params: outputIn }],
          },
          { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isCancelled', params: problemIn }, target: 'cancelled' },
          { guard: { type: 'isOver', params: problemIn }, target: 'over' },
          { guard: { type: 'needsPassword', params: problemIn }, target: 'passwordNeeded' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    /** For the account that is signed in. */
    joining: {
      tags: 'busy',
      invoke: {
        id: 'joinProvider',
        src: 'joinProvider',
        onDone: { target: 'welcomed', actions: 'goOn' },
        onError: { target: 'notJoined', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    notJoined: { on: { 'again.pressed': { actions: 'goOn' } } },
    welcomed: { tags: 'busy' },
    cancelled: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    over: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    passwordNeeded: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    failed: { on: { 'again.pressed': { actions: 'goSignIn' } } },
  },
});
