import { assign, sendParent, setup } from 'xstate';
import { fails, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { isRenewed, type HeldSubscription } from '../model/subscription.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  /** The store offers subscriptions. */
  sells: boolean;
  held: HeldSubscription | null;
  problem: Problem | null;
  /** It has been cancelled just now. */
  cancelled: boolean;
};

/** The customer's subscription: what it is, until when it runs, and its cancelling, which keeps what is paid for. */
export const ownSubscriptionMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'retry.pressed' }
      | { type: 'card.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'cancellation.confirmed' }
      | { type: 'cancellation.declined' };
    input: { sells: boolean };
  },
  actors: {
    /** The one that the customer has, or had last; null where there never was one. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** Cancels it; to cancel what is cancelled changes nothing. */
    cancelSubscription: requestPort<object>(),
    /** The address of the gateway’s page, where another card is given. */
    openPortal: requestPort<{ url: string }>(),
  },
  actions: {
    keepHeld: assign({ held: (_, held: HeldSubscription | null) => held, problem: null }),
    keepCancelled: assign({ cancelled: (_, held: HeldSubscription | null) => held !== null && !isRenewed(held) }),
    startAnew: assign({ problem: null, cancelled: false }),
    keepProblem: keepProblem(),
    goToGateway: sendParent((_, { url }: { url: string }) => ({ type: 'leave', url })),
  },
  guards: {
    isHeld: (_, held: HeldSubscription | null) => held !== null,
    sells: ({ context }) => context.sells,
    isRenewed: ({ context }) => isRenewed(context.held),
  },
}).createMachine({
  id: 'ownSubscription',
  context: ({ input }) => ({ sells: input.sells, held: null, problem: null, cancelled: false }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: [
          {
            guard: { type: 'isHeld', params: outputIn },
            target: 'held',
            actions: { type: 'keepHeld', params: outputIn },
          },
          { guard: 'sells', target: 'offered' },
          { target: 'none' },
        ],
        onError: fails,
      },
    },
    held: {
      on: {
        'cancel.pressed': { guard: 'isRenewed', target: 'asking', actions: 'startAnew' },
        'card.pressed': { guard: 'isRenewed', target: 'leaving', actions: 'startAnew' },
      },
    },
    /** Whoever comes back by Back finds the subscription as it was left. */
    leaving: {
      meta: { spec: ['S7.customer/portal/session'] },
      tags: 'busy',
      invoke: {
        id: 'openPortal',
        src: 'openPortal',
        onDone: { target: 'held', actions: { type: 'goToGateway', params: outputIn } },
        onError: { target: 'held', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    asking: { on: { 'cancellation.confirmed': 'cancelling', 'cancellation.declined': 'held' } },
    cancelling: {
      meta: { spec: ['S7.user/subscription/cancel'] },
      tags: 'busy',
      invoke: {
        id: 'cancelSubscription',
        src: 'cancelSubscription',
        onDone: 'refreshing',
        onError: { target: 'held', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** It is cancelled; until when it runs is the server's to say. */
    refreshing: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: [
          {
            guard: { type: 'isHeld', params: outputIn },
            target: 'held',
            actions: [
              { type: 'keepHeld', params: outputIn },
              { type: 'keepCancelled', params: outputIn },
            ],
          },
          { guard: 'sells', target: 'offered' },
          { target: 'none' },
        ],
        onError: fails,
      },
    },
    /** There is none; the store has some. */
    offered: {},
    /** There is none, and the store has none. */
    none: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
