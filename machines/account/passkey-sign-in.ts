import { assign, sendParent, setup } from 'xstate';
import type { SignedIn } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { openEnded, outputIn, problemIn, requestPort, safePort } from '../ports.ts';

type Context = {
  /** Keeps the session longer than the tab. */
  remember: boolean;
  problem: Problem | null;
  /** The customer has told their device that they do not want to. */
  cancelled: boolean;
  /** The browser’s own offer could not be made: nobody has asked for it, so nobody is told. */
  unoffered?: true;
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
    /**
     * Waits for a passkey that is chosen among what the browser offers in the address field, for as long as the form is there, and
     * stores the token by itself; it never answers where browser or server offer none. Rejects with `refused`: `passkey_refused`, `passkey_over`.
     */
    autofill: openEnded(requestPort<SignedIn>()),
  },
  actions: {
    startAnew: assign({ remember: (_, remember: boolean) => remember, problem: null, cancelled: false }),
    keepCancelled: assign({ cancelled: true }),
    keepProblem: keepProblem(),
    keepUnoffered: assign({ unoffered: true }),
    reportSession: sendParent((_, customer: SignedIn) => ({ type: 'session.started', ...customer })),
  },
  guards: {
    can: (_, can: boolean) => can,
    /** About a passkey that was chosen, and not about the network or the server. */
    isRefused: (_, problem: Problem) => problem.kind === 'refused' && problem.code.startsWith('passkey_'),
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
      // Pressing the button, or leaving the form, ends the browser's own offer.
      invoke: {
        id: 'autofill',
        src: 'autofill',
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: outputIn } },
        onError: [
          { guard: { type: 'isRefused', params: problemIn }, actions: { type: 'keepProblem', params: problemIn } },
          { actions: 'keepUnoffered' },
        ],
      },
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
