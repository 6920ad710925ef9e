import { assign, sendParent, setup } from 'xstate';
import { fails, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { isRenewed, isResumable, type HeldSubscription } from '../model/buying/subscription.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  /** The store offers subscriptions. */
  sells: boolean;
  held: HeldSubscription | null;
  problem: Problem | null;
  /** What the customer wants of it, and whether the server says that it is so. */
  wish: Wish | null;
  granted: boolean;
};

type Wish = 'cancelled' | 'resumed';

const isAs = (wish: Wish | null, held: HeldSubscription | null): boolean => isRenewed(held) === (wish === 'resumed');

/** `onDone` of loading the subscription, which `keep` keeps. */
const thenShown = <Keep extends string>(keep: Keep) =>
  [
    { guard: { type: 'isHeld', params: outputIn }, target: 'held', actions: { type: keep, params: outputIn } },
    { guard: 'sells', target: 'offered' },
    { target: 'none' },
  ] as const;

/** After a change the server is asked again, also if the change seems to have failed. */
const thenRefreshed = {
  onDone: 'refreshing',
  onError: { target: 'refreshing', actions: { type: 'keepProblem', params: problemIn } },
} as const;

/**
 * The customer's subscription: what it is, until when it runs, its cancelling, which keeps what is paid for, and that it is taken up
 * again while it still runs.
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
    /** The one that the customer has, or had last; null where there never was one. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /** Cancels it; to cancel what is cancelled changes nothing. */
    cancelSubscription: requestPort<object>(),
    /** Takes it up again; to take up what is not cancelled changes nothing, and nothing is charged for it. */
    resumeSubscription: requestPort<object>(),
    /** The address of the gateway’s page, where another card is given. */
    openPortal: requestPort<{ url: string }>(),
  },
  actions: {
    keepHeld: assign({ held: (_, held: HeldSubscription | null) => held, problem: null }),
    /** What went wrong is forgotten where the server has done after all what was wanted. */
    keepOutcome: assign(({ context }, held: HeldSubscription | null) => {
      const granted = isAs(context.wish, held);
      return { held, granted, problem: granted ? null : context.problem };
    }),
    want: assign({ wish: (_, wish: Wish) => wish }),
    startAnew: assign({ problem: null, wish: null, granted: false }),
    keepProblem: keepProblem(),
    goToGateway: sendParent((_, { url }: { url: string }) => ({ type: 'leave', url })),
  },
  guards: {
    isHeld: (_, held: HeldSubscription | null) => held !== null,
    sells: ({ context }) => context.sells,
    isRenewed: ({ context }) => isRenewed(context.held),
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
        onDone: thenShown('keepHeld'),
        onError: fails,
      },
    },
    held: {
      on: {
        'cancel.pressed': { guard: 'isRenewed', target: 'asking', actions: 'startAnew' },
        'resume.pressed': { guard: 'isResumable', target: 'resuming', actions: 'startAnew' },
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
      entry: { type: 'want', params: 'cancelled' },
      invoke: {
        id: 'cancelSubscription',
        src: 'cancelSubscription',
        ...thenRefreshed,
      },
    },
    resuming: {
      tags: 'busy',
      entry: { type: 'want', params: 'resumed' },
      invoke: {
        id: 'resumeSubscription',
        src: 'resumeSubscription',
        ...thenRefreshed,
      },
    },
    /** It is done, or went wrong, or nobody knows: what the customer has now is the server's to say. */
    refreshing: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: thenShown('keepOutcome'),
        onError: [{ guard: 'hasFailed', target: 'held' }, fails],
      },
    },
    /** There is none; the store has some. */
    offered: {},
    /** There is none, and the store has none. */
    none: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
