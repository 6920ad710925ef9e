import { assign, sendParent, setup } from 'xstate';
import type { SignInResult } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { providerReturnPath, signInPath, withQuery } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import { readAfterSignIn, type AfterSignIn } from '../model/account/after-sign-in.ts';
import { toReturnQuery } from '../model/account/way.ts';
import { getOutput, getProblem, requestPort, safePort } from '../ports.ts';

/** The flow that this tab started: a sign-in, or connecting a provider to the signed-in account. */
export type PendingSignIn = AfterSignIn & { joins?: true };

type Context = {
  signedIn: boolean;
  /** The page and action to continue with. */
  way: AfterSignIn;
  problem: Problem | null;
};

const isRefusedWith =
  (code: string) =>
  (_: unknown, problem: Problem): boolean =>
    problem.kind === 'refused' && problem.code === code;

/**
 * The callback page of a provider. The provider's response is in the URL, and is removed from the
 * URL first.
 */
export const providerReturnMachine = setup({
  types: {} as {
    context: Context;
    events: FlowSignal | { type: 'again.pressed' };
    input: FlowInput;
  },
  actors: {
    /**
     * Reads the provider's response, which only the other ports receive. Returns the flow that this
     * tab started; null if this tab started none.
     */
    consumeAnswer: safePort<PendingSignIn | null>(),
    /**
     * Signs in and stores the token itself. Rejects with `refused`: `provider_cancelled` if the
     * customer cancels, `sign_in_over` if this tab did not start the sign-in or it has expired,
     * `email_unverified` if the account must be opened with its password, `provider_refused` and
     * `provider_unreachable`.
     */
    finishSignIn: requestPort<SignInResult>(),
    /**
     * Connects the provider to the account. Rejects with `refused` as `finishSignIn` does, and with
     * `provider_taken` if it belongs to another account.
     */
    joinProvider: requestPort<object>(),
  },
  actions: {
    /** Accepts only a path of this shop, so that a stored value cannot redirect to another site. */
    keepWay: assign({
      way: ({ context }, pending: PendingSignIn | null) =>
        pending === null ? context.way : { path: readAfterSignIn({ return: pending.path }).path, action: pending.action },
    }),
    keepProblem: keepProblem(),
    /**
     * Removes the provider's response from the URL and the history. The page and action to continue
     * with stay in the URL, for a reload.
     */
    removeQuery: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, toReturnQuery(way)),
      replace: true,
    })),
    /** Shows the store's questions first, which then continue to the page of `way`. */
    addQuestions: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, { ...toReturnQuery(way), questions: '1' }),
      replace: true,
    })),
    reportSession: sendParent((_, { userId, pii }: SignInResult) => ({ type: 'session.started', userId, pii })),
    /** Continues on the page of `way` without its action, which a link alone must not run. */
    goToDestination: sendParent(({ context: { way } }) => ({ type: 'go', to: way.path, replace: true })),
    goSignIn: sendParent(({ context: { way } }) => ({ type: 'go', to: signInPath(toReturnQuery(way)), replace: true })),
  },
  guards: {
    isAsked: (_, { asks }: SignInResult) => asks === true,
    joins: (_, pending: PendingSignIn | null) => pending?.joins === true,
    isSignedIn: ({ context }) => context.signedIn,
    isCancelled: isRefusedWith('provider_cancelled'),
    isOver: isRefusedWith('sign_in_over'),
    needsPassword: isRefusedWith('email_unverified'),
  },
}).createMachine({
  id: 'providerReturn',
  context: ({ input }) => ({ signedIn: input.signedIn, way: readAfterSignIn(input.route.query), problem: null }),
  initial: 'taking',
  states: {
    taking: {
      tags: 'busy',
      invoke: {
        id: 'consumeAnswer',
        src: 'consumeAnswer',
        onDone: [
          {
            guard: { type: 'joins', params: getOutput },
            target: 'joining',
            actions: [{ type: 'keepWay', params: getOutput }, 'removeQuery'],
          },
          { guard: 'isSignedIn', target: 'welcomed', actions: [{ type: 'keepWay', params: getOutput }, 'goToDestination'] },
          { target: 'finishing', actions: [{ type: 'keepWay', params: getOutput }, 'removeQuery'] },
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
            guard: { type: 'isAsked', params: getOutput },
            target: 'welcomed',
            actions: ['addQuestions', { type: 'reportSession', params: getOutput }],
          },
          { target: 'welcomed', actions: { type: 'reportSession', params: getOutput } },
        ],
        onError: [
          { guard: { type: 'isCancelled', params: getProblem }, target: 'cancelled' },
          { guard: { type: 'isOver', params: getProblem }, target: 'over' },
          { guard: { type: 'needsPassword', params: getProblem }, target: 'passwordNeeded' },
          { target: 'failed', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    /** Connects the provider to the signed-in account. */
    joining: {
      tags: 'busy',
      invoke: {
        id: 'joinProvider',
        src: 'joinProvider',
        onDone: { target: 'welcomed', actions: 'goToDestination' },
        onError: { target: 'notJoined', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    notJoined: { on: { 'again.pressed': { actions: 'goToDestination' } } },
    welcomed: { tags: 'busy' },
    cancelled: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    over: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    passwordNeeded: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    failed: { on: { 'again.pressed': { actions: 'goSignIn' } } },
  },
});
