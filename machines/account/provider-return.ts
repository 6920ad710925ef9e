import { assign, sendParent, setup } from 'xstate';
import type { CameBy } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { providerReturnPath, signInPath, withQuery } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import { afterSignInOf, type AfterSignIn } from '../model/account/after-sign-in.ts';
import { queryOfWay } from '../model/account/way.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

/** The flow that this tab started: a sign-in, or connecting a provider to the signed-in account. */
export type BegunWay = AfterSignIn & { joins?: true };

type Context = {
  signedIn: boolean;
  /** The page and action to continue with. */
  way: AfterSignIn;
  problem: Problem | null;
};

const hasCode =
  (code: string) =>
  (_: unknown, problem: Problem): boolean =>
    problem.kind === 'refused' && problem.code === code;

/**
 * The callback page of a provider. The provider's response is in the address, and is removed from
 * it first.
 */
export const providerReturnMachine = setup({
  types: {} as {
    context: Context;
    events: FlowSignal | { type: 'again.pressed' };
    input: FlowInput;
  },
  actors: {
    /**
     * Takes the provider's response and passes it only to the other ports. Returns the flow that
     * this tab started; null if it started none.
     */
    takeAnswer: safePort<BegunWay | null>(),
    /**
     * Stores the token itself. Rejects with `refused`: `provider_cancelled` if the customer
     * cancels, `sign_in_over` if this tab did not start the sign-in or it has expired,
     * `email_unverified` if the account must be opened with its password, `provider_refused` and
     * `provider_unreachable`.
     */
    finishSignIn: requestPort<CameBy>(),
    /**
     * Connects the provider to the account. Rejects with `refused` as `finishSignIn` does, and with
     * `provider_taken` if it belongs to another account.
     */
    joinProvider: requestPort<object>(),
  },
  actions: {
    /** Accepts only a path of this shop, so that a stored value cannot redirect elsewhere. */
    keepWay: assign({
      way: ({ context }, way: BegunWay | null) =>
        way === null ? context.way : { path: afterSignInOf({ return: way.path }).path, action: way.action },
    }),
    keepProblem: keepProblem(),
    /**
     * Removes the provider's response from address bar and history; a reload still knows where to
     * continue.
     */
    emptyAddress: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, queryOfWay(way)),
      replace: true,
    })),
    /** Shows the store's questions first; they then continue to the page of `way`. */
    addQuestions: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, { ...queryOfWay(way), questions: '1' }),
      replace: true,
    })),
    reportSession: sendParent((_, { userId, pii }: CameBy) => ({ type: 'session.started', userId, pii })),
    /**
     * Drops the pending action if the customer was signed in already: a link alone must not run it.
     */
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
    /** Connects the provider to the signed-in account. */
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
