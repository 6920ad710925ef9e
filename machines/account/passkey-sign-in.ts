import { assign, sendParent, setup } from 'xstate';
import type { SignedInUser } from '../app/session.ts';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { markOpenEnded, getOutput, getProblem, requestPort, safePort } from '../ports.ts';

type Context = {
  /** Keeps the session after the tab is closed. */
  remember: boolean;
  problem: Problem | null;
  /** The customer cancelled the prompt of their device. */
  cancelled: boolean;
  /** Autofill failed. The customer did not request autofill, so no message is shown. */
  unoffered?: true;
};

/** Passkey sign-in beside the form. The device knows the account, so the customer types nothing. */
export const passkeySignInMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'passkey.pressed'; remember: boolean };
  },
  actors: {
    /** Whether this browser supports passkeys. */
    canUsePasskeys: safePort<boolean>(),
    /**
     * Waits up to five minutes for the customer to confirm on their device, and stores the token
     * itself. Rejects with `refused`: `passkey_cancelled` if the customer cancels,
     * `passkey_refused` if no account accepts the passkey, `passkey_over` after the time limit.
     */
    signInByPasskey: requestPort<SignedInUser, { remember: boolean }>(),
    /**
     * Waits, as long as the form is shown, for a passkey that the customer picks from the browser's
     * autofill, and stores the token itself. Never settles if browser or server do not support
     * autofill. Rejects with `refused`: `passkey_refused`, `passkey_over`.
     */
    autofill: markOpenEnded(requestPort<SignedInUser>()),
  },
  actions: {
    restart: assign({ remember: (_, remember: boolean) => remember, problem: null, cancelled: false }),
    keepCancelled: assign({ cancelled: true }),
    keepProblem: keepProblem(),
    keepUnoffered: assign({ unoffered: true }),
    reportSession: sendParent((_, customer: SignedInUser) => ({ type: 'session.started', ...customer })),
  },
  guards: {
    can: (_, isSupported: boolean) => isSupported,
    /** The problem is about the chosen passkey, not about the network or the server. */
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
        onDone: [{ guard: { type: 'can', params: getOutput }, target: 'offered' }, { target: 'none' }],
      },
    },
    none: {},
    offered: {
      // A press of the button, or leaving the form, aborts autofill.
      invoke: {
        id: 'autofill',
        src: 'autofill',
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: getOutput } },
        onError: [
          { guard: { type: 'isRefused', params: getProblem }, actions: { type: 'keepProblem', params: getProblem } },
          { actions: 'keepUnoffered' },
        ],
      },
      on: {
        'passkey.pressed': { target: 'waiting', actions: { type: 'restart', params: ({ event }) => event.remember } },
      },
    },
    waiting: {
      tags: 'busy',
      invoke: {
        id: 'signInByPasskey',
        src: 'signInByPasskey',
        input: ({ context }) => ({ remember: context.remember }),
        onDone: { target: 'welcomed', actions: { type: 'reportSession', params: getOutput } },
        onError: [
          { guard: { type: 'isCancelled', params: getProblem }, target: 'offered', actions: 'keepCancelled' },
          { target: 'offered', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    welcomed: { tags: 'busy' },
  },
});
