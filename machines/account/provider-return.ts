import { assign, sendParent, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import { providerReturnPath, signInPath, withQuery } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import { afterSignInOf, type AfterSignIn } from '../model/route.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** Where the customer goes on after signing in. */
  way: AfterSignIn;
  problem: Problem | null;
};

const hasCode =
  (code: string) =>
  (_: unknown, problem: Problem): boolean =>
    problem.kind === 'refused' && problem.code === code;

const queryOf = ({ path, action }: AfterSignIn): Record<string, string> => ({
  return: path === '/' ? '' : path,
  action: action ?? '',
});

/** The way back from a provider. What the provider says stands in the address, and is taken out of it before anything else. */
export const providerReturnMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'again.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Takes what the provider says, for `finishSignIn` alone. Tells where to go on; null when this tab has not begun it. */
    takeAnswer: safePort<AfterSignIn | null>(),
    /**
     * Stores the token by itself. Rejects with `refused`: `provider_cancelled` when the customer did not want to,
     * `sign_in_over` when this tab has not begun it or it is too old, `email_unverified` when the account has to be opened by
     * its password, `provider_refused` and `provider_unreachable`.
     */
    finishSignIn: requestPort<SignedIn>(),
  },
  actions: {
    /** Whatever was kept: only a path of this shop is gone to. */
    keepWay: assign({
      way: ({ context }, way: AfterSignIn | null) =>
        way === null ? context.way : { ...way, path: afterSignInOf({ return: way.path }).path },
    }),
    keepProblem: keepProblem(),
    /** Neither the address bar nor the history keeps what the provider said; a reload knows where to go on. */
    emptyAddress: sendParent(({ context: { way } }) => ({
      type: 'go',
      to: withQuery(providerReturnPath, queryOf(way)),
      replace: true,
    })),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
    goSignIn: sendParent(({ context: { way } }) => ({ type: 'go', to: signInPath(queryOf(way)), replace: true })),
  },
  guards: {
    isCancelled: hasCode('provider_cancelled'),
    isOver: hasCode('sign_in_over'),
    needsPassword: hasCode('email_unverified'),
  },
}).createMachine({
  id: 'providerReturn',
  context: ({ input }) => ({ way: afterSignInOf(input.route.query), problem: null }),
  initial: 'taking',
  states: {
    taking: {
      tags: 'busy',
      invoke: {
        id: 'takeAnswer',
        src: 'takeAnswer',
        onDone: { target: 'finishing', actions: [{ type: 'keepWay', params: outputIn }, 'emptyAddress'] },
      },
    },
    finishing: {
      meta: { spec: ['S2./auth0loginCallback'] },
      tags: 'busy',
      invoke: {
        id: 'finishSignIn',
        src: 'finishSignIn',
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: [
          { guard: { type: 'isCancelled', params: problemIn }, target: 'cancelled' },
          { guard: { type: 'isOver', params: problemIn }, target: 'over' },
          { guard: { type: 'needsPassword', params: problemIn }, target: 'passwordNeeded' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    welcomed: { tags: 'busy' },
    cancelled: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    over: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    passwordNeeded: { on: { 'again.pressed': { actions: 'goSignIn' } } },
    failed: { on: { 'again.pressed': { actions: 'goSignIn' } } },
  },
});
