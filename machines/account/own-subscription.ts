import { assign, sendParent, setup } from 'xstate';
import { toFailed, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { isRenewing, isResumable, type HeldSubscription } from '../model/buying/subscription.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  /** Whether the store offers subscriptions. */
  sells: boolean;
  held: HeldSubscription | null;
  problem: Problem | null;
  /** The status that the customer requested; null before a request. */
  wish: RequestedStatus | null;
  /** Whether the subscription has the requested status. */
  granted: boolean;
};

type RequestedStatus = 'cancelled' | 'resumed';

const hasStatus = (wish: RequestedStatus | null, subscription: HeldSubscription | null): boolean =>
  isRenewing(subscription) === (wish === 'resumed');

/** The `onDone` transitions after loading the subscription, which the action `keep` stores. */
const toShownState = <Keep extends string>(keep: Keep) =>
  [
    { guard: { type: 'isHeld', params: getOutput }, target: 'held', actions: { type: keep, params: getOutput } },
    { guard: 'sells', target: 'offered' },
    { target: 'none' },
  ] as const;

/** `onDone` and `onError` of a change: reload the subscription, even if the change failed. */
const refreshWhenSettled = {
  onDone: 'refreshing',
  onError: { target: 'refreshing', actions: { type: 'keepProblem', params: getProblem } },
} as const;

/**
 * The customer's subscription: its plan, status and period end. Cancelling keeps access until the
 * period ends; until then the subscription can be reactivated.
 */
export const ownSubscriptionMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'retry.pressed' }
      | { type: 'card.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'resume.pressed' }
      | { type: 'cancellation.confirmed' }
      | { type: 'cancellation.declined' };
    input: { sells: boolean };
  },
  actors: {
    /** The current or the last subscription; null if the customer never had one. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** Cancels the subscription; idempotent. */
    cancelSubscription: requestPort<object>(),
    /** Reactivates the subscription, free of charge; idempotent. */
    resumeSubscription: requestPort<object>(),
    /** The URL of the gateway’s page for changing the card. */
    openPortal: requestPort<{ url: string }>(),
  },
  actions: {
    keepHeld: assign({ held: (_, subscription: HeldSubscription | null) => subscription, problem: null }),
    /** Clears the problem if the server has made the change after all. */
    keepOutcome: assign(({ context }, subscription: HeldSubscription | null) => {
      const isGranted = hasStatus(context.wish, subscription);
      return { held: subscription, granted: isGranted, problem: isGranted ? null : context.problem };
    }),
    want: assign({ wish: (_, wish: RequestedStatus) => wish }),
    restart: assign({ problem: null, wish: null, granted: false }),
    keepProblem: keepProblem(),
    goToGateway: sendParent((_, { url }: { url: string }) => ({ type: 'leave', url })),
  },
  guards: {
    isHeld: (_, subscription: HeldSubscription | null) => subscription !== null,
    sells: ({ context }) => context.sells,
    isRenewed: ({ context }) => isRenewing(context.held),
    isResumable: ({ context }) => isResumable(context.held),
    hasFailed: ({ context }) => context.problem !== null,
  },
}).createMachine({
  id: 'ownSubscription',
  context: ({ input }) => ({ sells: input.sells, held: null, problem: null, wish: null, granted: false }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: toShownState('keepHeld'),
        onError: toFailed,
      },
    },
    held: {
      on: {
        'cancel.pressed': { guard: 'isRenewed', target: 'asking', actions: 'restart' },
        'resume.pressed': { guard: 'isResumable', target: 'resuming', actions: 'restart' },
        'card.pressed': { guard: 'isRenewed', target: 'leaving', actions: 'restart' },
      },
    },
    /** A customer who returns by the Back button finds the subscription unchanged. */
    leaving: {
      meta: { spec: ['S7.customer/portal/session'] },
      tags: 'busy',
      invoke: {
        id: 'openPortal',
        src: 'openPortal',
        onDone: { target: 'held', actions: { type: 'goToGateway', params: getOutput } },
        onError: { target: 'held', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    asking: { on: { 'cancellation.confirmed': 'cancelling', 'cancellation.declined': 'held' } },
    cancelling: {
      meta: { spec: ['S7.user/subscription/cancel'] },
      tags: 'busy',
      entry: { type: 'want', params: 'cancelled' },
      invoke: {
        id: 'cancelSubscription',
        src: 'cancelSubscription',
        ...refreshWhenSettled,
      },
    },
    resuming: {
      tags: 'busy',
      entry: { type: 'want', params: 'resumed' },
      invoke: {
        id: 'resumeSubscription',
        src: 'resumeSubscription',
        ...refreshWhenSettled,
      },
    },
    /** The change succeeded, failed, or its outcome is unknown: reads the state from the server. */
    refreshing: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: toShownState('keepOutcome'),
        onError: [{ guard: 'hasFailed', target: 'held' }, toFailed],
      },
    },
    /** The customer has no subscription; the store sells plans. */
    offered: {},
    /** The customer has no subscription, and the store sells no plans. */
    none: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
