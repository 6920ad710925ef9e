import { assign, sendParent, setup } from 'xstate';
import { failed, failsOrIsMissing, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { viewerPath } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import type { Receipt } from '../model/purchase.ts';
import { isMissing, openEnded, outputIn, requestPort } from '../ports.ts';

type Context = { transId: string; isGift: boolean; receipt: Receipt | null; problem: Problem | null };

/** The success page of a purchase: what was bought, and the way to open it. */
export const receiptMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' } | { type: 'read.pressed' } | { type: 'print.pressed' };
    input: FlowInput;
  },
  actors: {
    /** `isGift`: the address says that it was given away. */
    purchaseInfo: requestPort<Receipt, { transId: string; isGift: boolean }>(),
    /** Settles when the browser's own print dialog is closed, printed or not; rejects where the browser cannot print. */
    print: openEnded(requestPort<null>()),
  },
  actions: {
    keepReceipt: assign({ receipt: (_, receipt: Receipt) => receipt, problem: null }),
    keepProblem: keepProblem(),
    goRead: sendParent(({ context }) => ({
      type: 'go',
      to: viewerPath(context.receipt?.instanceId ?? ''),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isForNothing: ({ context }) => context.transId === '',
  },
}).createMachine({
  id: 'receipt',
  context: ({ input: { route } }) => ({
    transId: route.params['transId'] ?? '',
    isGift: route.params['isgift'] === 'true',
    receipt: null,
    problem: null,
  }),
  initial: 'arriving',
  states: {
    arriving: { always: [{ guard: 'isForNothing', target: 'notFound' }, { target: 'loading' }] },
    loading: {
      meta: { spec: ['S7.purchase/info'] },
      tags: 'busy',
      invoke: {
        id: 'purchaseInfo',
        src: 'purchaseInfo',
        input: ({ context: { transId, isGift } }) => ({ transId, isGift }),
        onDone: { target: 'shown', actions: { type: 'keepReceipt', params: outputIn } },
        onError: failsOrIsMissing,
      },
    },
    shown: {
      meta: { spec: ['S2./title/purchase/success'] },
      on: { 'read.pressed': { actions: 'goRead' }, 'print.pressed': 'printing' },
    },
    /** In some browsers the page can be used while the dialog is open, and some never report that it was closed. */
    printing: {
      invoke: { id: 'print', src: 'print', onDone: 'shown', onError: 'shown' },
      on: {
        'read.pressed': { target: 'shown', actions: 'goRead' },
        'print.pressed': { target: 'printing', reenter: true },
      },
    },
    notFound: {},
    failed,
  },
});
