import { assign, sendParent, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** Keeps the session longer than the tab. */
  remember: boolean;
  problem: Problem | null;
  /** The customer has told their device that they do not want to. */
  cancelled: boolean;
};

/** Signing in by a passkey, beside the form. The customer's device knows the account, so nothing is typed. */
export const passkeySignInMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'passkey.pressed'; remember: boolean };
  },
  actors: {
    /** Whether this browser can do it at all. */
    canUsePasskeys: safePort<boolean>(),
    /**
     * Waits for the customer at their device, for five minutes at most, and stores the token by itself. Rejects with `refused`: `passkey_cancelled` when they
     * did not want to after all, `passkey_refused` when the passkey opens no account, `passkey_over` when it took too long.
     */
    signInByPasskey: requestPort<SignedIn, { remember: boolean }>(),
  },
  actions: {
    startAnew: assign({ remember: (_, remember: boolean) => remember, problem: null, cancelled: false }),
    keepCancelled: assign({ cancelled: true }),
    keepProblem: keepProblem(),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
  },
  guards: {
    can: (_, can: boolean) => can,
    isCancelled: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'passkey_cancelled',
  },
}).createMachine({
  id: 'passkeySignIn',
  context: { remember: true, problem: null, cancelled: false },
  initial: 'looking',
  states: {
    looking: {
      invoke: {
        id: 'canUsePasskeys',
        src: 'canUsePasskeys',
        onDone: [{ guard: { type: 'can', params: outputIn }, target: 'offered' }, { target: 'none' }],
      },
    },
    none: {},
    offered: {
      on: {
        'passkey.pressed': { target: 'waiting', actions: { type: 'startAnew', params: ({ event }) => event.remember } },
      },
    },
    waiting: {
      tags: 'busy',
      invoke: {
        id: 'signInByPasskey',
        src: 'signInByPasskey',
        input: ({ context }) => ({ remember: context.remember }),
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: [
          { guard: { type: 'isCancelled', params: problemIn }, target: 'offered', actions: 'keepCancelled' },
          { target: 'offered', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    welcomed: { tags: 'busy' },
  },
});
