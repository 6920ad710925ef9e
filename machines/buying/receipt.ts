import { assign, sendParent, setup } from 'xstate';
import { toFailed, failedOrNotFound, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { viewerPath } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import type { Receipt } from '../model/buying/purchase.ts';
import type { HeldSubscription } from '../model/buying/subscription.ts';
import { isMissing, markOpenEnded, getOutput, requestPort } from '../ports.ts';

type Context = {
  /** The purchase is of a plan; any other purchase has a transaction. */
  isOfPlan: boolean;
  transId: string;
  isGift: boolean;
  receipt: Receipt | null;
  subscription: HeldSubscription | null;
  problem: Problem | null;
};

/** The success page of a purchase: the titles or the subscription, and how to open them. */
export const receiptMachine = setup({
  types: {} as {
    context: Context;
    events: FlowSignal | { type: 'retry.pressed' } | { type: 'read.pressed' } | { type: 'print.pressed' };
    input: FlowInput;
  },
  actors: {
    /** Loads the receipt; `isGift` if the URL marks the purchase as a gift. */
    purchaseInfo: requestPort<Receipt, { transId: string; isGift: boolean }>(),
    /** The subscription that was just started; null for a customer without one. */
    loadSubscription: requestPort<HeldSubscription | null>(),
    /**
     * Settles when the browser's print dialog closes, printed or not; rejects if the browser cannot
     * print.
     */
    print: markOpenEnded(requestPort<null>()),
  },
  actions: {
    keepReceipt: assign({ receipt: (_, receipt: Receipt) => receipt, problem: null }),
    keepSubscription: assign({
      subscription: (_, subscription: HeldSubscription | null) => subscription,
      problem: null,
    }),
    keepProblem: keepProblem(),
    goRead: sendParent(({ context }) => ({
      type: 'go',
      to: viewerPath(context.receipt?.instanceId ?? ''),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isOfPlan: ({ context }) => context.isOfPlan,
    isNone: (_, subscription: HeldSubscription | null) => subscription === null,
    isForNoGoods: ({ context }) => context.transId === '',
  },
}).createMachine({
  id: 'receipt',
  context: ({ input: { route } }) => ({
    isOfPlan: route.params['of'] === 'subscription',
    transId: route.params['transId'] ?? '',
    isGift: route.params['isgift'] === 'true',
    receipt: null,
    subscription: null,
    problem: null,
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'isOfPlan', target: 'loadingSubscription' },
        { guard: 'isForNoGoods', target: 'notFound' },
        { target: 'loading' },
      ],
    },
    loadingSubscription: {
      tags: 'busy',
      invoke: {
        id: 'loadSubscription',
        src: 'loadSubscription',
        onDone: [
          { guard: { type: 'isNone', params: getOutput }, target: 'notFound' },
          { target: 'subscribed', actions: { type: 'keepSubscription', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    subscribed: {},
    loading: {
      meta: { spec: ['S7.purchase/info'] },
      tags: 'busy',
      invoke: {
        id: 'purchaseInfo',
        src: 'purchaseInfo',
        input: ({ context: { transId, isGift } }) => ({ transId, isGift }),
        onDone: { target: 'shown', actions: { type: 'keepReceipt', params: getOutput } },
        onError: failedOrNotFound,
      },
    },
    shown: {
      meta: { spec: ['S2./title/purchase/success'] },
      on: { 'read.pressed': { actions: 'goRead' }, 'print.pressed': 'printing' },
    },
    /**
     * The print dialog is open. In some browsers the page stays usable, and some never report that
     * the dialog closed.
     */
    printing: {
      invoke: { id: 'print', src: 'print', onDone: 'shown', onError: 'shown' },
      on: {
        'read.pressed': { target: 'shown', actions: 'goRead' },
        'print.pressed': { target: 'printing', reenter: true },
      },
    },
    notFound: {},
    failed: { on: { 'retry.pressed': 'arriving' } },
  },
});
