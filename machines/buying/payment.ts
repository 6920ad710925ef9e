import { toFailed } from '../loadable.ts';
import { getOutput, getProblem } from '../ports.ts';
import { paymentSetup } from './payment-setup.ts';

const toUnknown = { target: 'unknown', actions: { type: 'keepProblem', params: getProblem } } as const;

/** Transitions for errors after which the payment has ended without a charge. */
const toEnded = [
  { guard: { type: 'isAlreadyOwned', params: getProblem }, target: 'owned' },
  { guard: { type: 'isPriceChanged', params: getProblem }, target: 'priceChanged' },
] as const;

/** Transitions for errors that leave open whether a charge was made, and for all other errors. */
const toUnknownOrFailed = [{ guard: { type: 'isOpen', params: getProblem }, ...toUnknown }, toFailed] as const;

/**
 * Pays for one order. No money is charged before `confirming` or `charging`. After a lost response,
 * `unknown` requests the payment's status and never repeats a charge, so a customer who paid gets
 * the title exactly once and a customer who did not is not charged.
 */
export const paymentMachine = paymentSetup.createMachine({
  id: 'payment',
  context: ({ input }) => ({
    ...input,
    url: null,
    status: null,
    paidFor: null,
    cancels: false,
    checks: 0,
    problem: null,
    outcome: 'none',
  }),
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'hasTransaction', target: 'reconciling' },
        { guard: 'startsByCard', target: 'charging' },
        { target: 'submitting' },
      ],
    },
    submitting: {
      meta: { spec: ['S7.payment/session', 'S7.purchase/free'] },
      tags: 'busy',
      invoke: {
        id: 'startPayment',
        src: 'startPayment',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isGranted', params: getOutput },
            target: 'succeeded',
            actions: { type: 'keepPaymentSession', params: getOutput },
          },
          {
            guard: 'paysByCard',
            target: 'charging',
            actions: { type: 'keepPaymentSession', params: getOutput },
          },
          { target: 'actionRequired', actions: [{ type: 'keepPaymentSession', params: getOutput }, 'goPay'] },
        ],
        onError: [
          ...toEnded,
          {
            guard: { type: 'isPaymentUnreachable', params: getProblem },
            target: 'unreachable',
            actions: { type: 'keepProblem', params: getProblem },
          },
          ...toUnknownOrFailed,
        ],
      },
    },
    charging: {
      meta: { spec: ['S7.purchase/title'] },
      tags: 'busy',
      invoke: {
        id: 'payByCard',
        src: 'payByCard',
        input: ({ context }) => context,
        onDone: [
          {
            guard: { type: 'isAsked', params: getOutput },
            target: 'actionRequired',
            actions: [{ type: 'keepStatus', params: getOutput }, 'goPay'],
          },
          { target: 'reconciled', actions: { type: 'keepStatus', params: getOutput } },
        ],
        onError: [...toEnded, ...toUnknownOrFailed],
      },
    },
    /**
     * Nothing is charged before a payment page: retrying with the same key starts the same payment.
     */
    unreachable: { on: { 'retry.pressed': 'submitting', 'cancel.pressed': 'cancelled' } },
    actionRequired: {
      on: {
        'continue.pressed': { guard: 'hasPaymentPage', actions: 'goPay' },
        'cancel.pressed': { target: 'cancelling', actions: 'keepCancel' },
        'status.pressed': 'reconciling',
        'page.returned': 'reconciling',
      },
    },
    /** The customer may have paid in another window: cancels only an unpaid payment. */
    cancelling: {
      tags: 'busy',
      invoke: {
        id: 'statusBeforeCancel',
        src: 'paymentStatus',
        input: ({ context }) => context,
        onDone: { target: 'reconciled', actions: { type: 'keepStatus', params: getOutput } },
        onError: toUnknown,
      },
    },
    confirming: {
      meta: { spec: ['S7.purchase/title/confirm', 'S7.subscription/confirm'] },
      tags: 'busy',
      invoke: {
        id: 'confirmPayment',
        src: 'confirmPayment',
        input: ({ context: { of, paidFor, transId, intentId } }) => ({
          of: paidFor ?? of,
          transId: transId ?? '',
          intentId: intentId ?? '',
        }),
        onDone: 'succeeded',
        onError: [...toEnded, ...toUnknownOrFailed],
      },
    },
    unknown: {
      exit: 'countCheck',
      after: { checkAgain: 'reconciling' },
      on: { 'status.pressed': 'reconciling' },
    },
    reconciling: {
      meta: { spec: ['S7.checkout/session/status'] },
      tags: 'busy',
      invoke: {
        id: 'paymentStatus',
        src: 'paymentStatus',
        input: ({ context }) => context,
        onDone: { target: 'reconciled', actions: { type: 'keepStatus', params: getOutput } },
        onError: [{ guard: { type: 'isMissing', params: getProblem }, target: 'notFound' }, toUnknown],
      },
    },
    reconciled: {
      always: [
        { guard: 'isPaid', target: 'succeeded' },
        { guard: 'cancels', target: 'cancelled' },
        { guard: 'isAuthorized', target: 'confirming' },
        { guard: 'isPending', target: 'actionRequired' },
        { guard: 'isFailed', target: 'failed' },
        { guard: 'isCancelled', target: 'cancelled' },
        { guard: 'isOwned', target: 'owned' },
        { target: 'none' },
      ],
    },
    succeeded: { type: 'final', entry: { type: 'conclude', params: 'succeeded' } },
    failed: { type: 'final', entry: { type: 'conclude', params: 'failed' } },
    cancelled: { type: 'final', entry: { type: 'conclude', params: 'cancelled' } },
    priceChanged: { type: 'final', entry: { type: 'conclude', params: 'priceChanged' } },
    owned: { type: 'final', entry: { type: 'conclude', params: 'owned' } },
    none: { type: 'final', entry: { type: 'conclude', params: 'none' } },
    notFound: { type: 'final', entry: { type: 'conclude', params: 'notFound' } },
  },
  output: ({ context: { outcome, titleId, transId, problem, paidFor } }) => ({ outcome, titleId, transId, problem, paidFor }),
});
