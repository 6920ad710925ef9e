import { fails } from '../loadable.ts';
import { outputIn, problemIn } from '../ports.ts';
import { paymentSetup } from './payment-setup.ts';

const unknown = { target: 'unknown', actions: { type: 'keepProblem', params: problemIn } } as const;

/** The errors after which a payment has ended without a charge. */
const ended = [
  { guard: { type: 'isAlreadyOwned', params: problemIn }, target: 'owned' },
  { guard: { type: 'isPriceChanged', params: problemIn }, target: 'priceChanged' },
] as const;

/** The errors after which a charge is possible, then all others. */
const unknownOrFails = [{ guard: { type: 'isOpen', params: problemIn }, ...unknown }, fails] as const;

/**
 * Paying for one order. Nothing is charged before `confirming` or `charging`; whatever gets lost, `unknown` asks for the payment's
 * status and repeats no charge, so that who pays gets the title once and who does not is not charged.
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
        { guard: 'isTakenUp', target: 'reconciling' },
        { guard: 'beginsByCard', target: 'charging' },
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
            guard: { type: 'isGranted', params: outputIn },
            target: 'succeeded',
            actions: { type: 'keepPaymentSession', params: outputIn },
          },
          {
            guard: 'paysByCard',
            target: 'charging',
            actions: { type: 'keepPaymentSession', params: outputIn },
          },
          { target: 'actionRequired', actions: [{ type: 'keepPaymentSession', params: outputIn }, 'goPay'] },
        ],
        onError: [
          ...ended,
          {
            guard: { type: 'isUnreached', params: problemIn },
            target: 'unreachable',
            actions: { type: 'keepProblem', params: problemIn },
          },
          ...unknownOrFails,
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
            guard: { type: 'isAsked', params: outputIn },
            target: 'actionRequired',
            actions: [{ type: 'keepStatus', params: outputIn }, 'goPay'],
          },
          { target: 'reconciled', actions: { type: 'keepStatus', params: outputIn } },
        ],
        onError: [...ended, ...unknownOrFails],
      },
    },
    /** Nothing is charged before a payment page: to start again with the same key starts the same payment. */
    unreachable: { on: { 'retry.pressed': 'submitting', 'cancel.pressed': 'cancelled' } },
    actionRequired: {
      on: {
        'continue.pressed': { guard: 'hasPaymentPage', actions: 'goPay' },
        'cancel.pressed': { target: 'cancelling', actions: 'keepCancel' },
        'status.pressed': 'reconciling',
        'page.returned': 'reconciling',
      },
    },
    /** It may have been paid in another window: only what is not paid is cancelled. */
    cancelling: {
      tags: 'busy',
      invoke: {
        id: 'statusBeforeCancel',
        src: 'paymentStatus',
        input: ({ context }) => context,
        onDone: { target: 'reconciled', actions: { type: 'keepStatus', params: outputIn } },
        onError: unknown,
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
        onError: [...ended, ...unknownOrFails],
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
        onDone: { target: 'reconciled', actions: { type: 'keepStatus', params: outputIn } },
        onError: [{ guard: { type: 'isMissing', params: problemIn }, target: 'notFound' }, unknown],
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
