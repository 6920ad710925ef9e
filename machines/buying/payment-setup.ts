import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { GiftForm } from '../model/buying/gift.ts';
import { isUnreachable, isOutcomeUnknown, type Problem } from '../model/problem.ts';
import type { PaidFor, PaymentSession, PaymentState } from '../model/buying/purchase.ts';
import type { Credits } from '../model/buying/subscription.ts';
import type { Tax } from '../model/buying/tax.ts';
import type { Price } from '../model/catalogue/title.ts';
import { isMissing, requestPort } from '../ports.ts';

/**
 * An order to pay for. `transId` is set if an unfinished payment is resumed, `intentId` if the
 * gateway's redirect contains it. `cardId` is a card stored at the gateway; without one the
 * customer pays on the gateway's page. With `credits` no money is charged, and the title is granted
 * at once.
 */
export type Order = {
  of: PaidFor;
  titleId: string;
  /** All titles of a cart; `titleId` is empty then. */
  titleIds: readonly string[] | null;
  planId: string;
  price: Price | null;
  free: boolean;
  key: string | null;
  transId: string | null;
  intentId: string | null;
  cardId: string | null;
  credits: Credits | null;
  /** Another payment method of the server, by its name; null for a card or credits. */
  method: string | null;
  /** The tax added to the price, as shown to the customer; null without tax. */
  tax: Tax | null;
  /**
   * The gift's form, null if the payment was started before; null for other orders. The order's
   * `key` is the gift’s id.
   */
  gift: { pii: { form: GiftForm | null } } | null;
};

/**
 * The state of a payment; `none` if the server has no such purchase, `owned` if the customer has
 * the title anyway.
 */
export type PurchaseState = Omit<PaymentState, 'status'> & {
  status: PaymentState['status'] | 'none' | 'owned';
  /** The purpose of the payment, if the page may not know it. */
  paidFor?: PaidFor | null;
};

/** An authorised payment to capture. */
export type Confirmation = { of: PaidFor; transId: string; intentId: string };

/** A payment whose status is requested, and its page at the gateway if known. */
export type OpenOrder = Order & { url: string | null };

export type PaymentOutcome = 'succeeded' | 'failed' | 'cancelled' | 'priceChanged' | 'owned' | 'none' | 'notFound';
export type PaymentOutput = {
  outcome: PaymentOutcome;
  titleId: string;
  transId: string | null;
  problem: Problem | null;
  /** The purpose of the payment, in case it differs from the order. */
  paidFor: PaidFor | null;
};

type Context = Order & {
  /** The gateway's page while the payment is unfinished. */
  url: string | null;
  status: PurchaseState['status'] | null;
  paidFor: PaidFor | null;
  /** The customer cancelled: an order that is not paid counts as cancelled. */
  cancels: boolean;
  /** The number of status requests after an unknown outcome; the backoff grows with it. */
  checks: number;
  problem: Problem | null;
  outcome: PaymentOutcome;
};

/** The ports, actions, guards and delays of the payment. */
export const paymentSetup = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'continue.pressed' }
      | { type: 'cancel.pressed' }
      | { type: 'retry.pressed' }
      | { type: 'status.pressed' }
      | { type: 'page.returned' };
    input: Order;
    output: PaymentOutput;
  },
  actors: {
    /**
     * Starts the payment and stores it, so that it can be resumed; charges no money. Free titles,
     * and titles paid with credits, are granted at once, with an empty `url`.
     */
    startPayment: requestPort<PaymentSession, Order>(),
    /**
     * Pays the started order with a stored card; idempotent. `pending` if the bank requires
     * customer authentication first.
     */
    payByCard: requestPort<PurchaseState, Order>(),
    /** Captures the authorised payment and grants the title; idempotent. */
    confirmPayment: requestPort<null, Confirmation>(),
    /** Reads the status of a payment, without side effects. */
    paymentStatus: requestPort<PurchaseState, OpenOrder>(),
  },
  actions: {
    keepPaymentSession: assign({
      transId: (_, session: PaymentSession) => session.transId,
      url: (_, session: PaymentSession) => session.url,
    }),
    keepStatus: assign(({ context }, { status, transId, titleId, intentId, url, reason, paidFor = null }: PurchaseState) => ({
      status,
      transId: transId || context.transId,
      titleId: titleId || context.titleId,
      intentId,
      url,
      problem: status === 'failed' ? toDeclinedProblem(reason) : null,
      paidFor: paidFor ?? context.paidFor,
    })),
    keepProblem: keepProblem(),
    keepCancel: assign({ cancels: true }),
    countCheck: assign({ checks: ({ context }) => context.checks + 1 }),
    conclude: assign({ outcome: (_, outcome: PaymentOutcome) => outcome }),
    goPay: sendParent(({ context }) => ({ type: 'leave', url: context.url ?? '' })),
  },
  guards: {
    isMissing,
    /** Not for credits: they are spent at once, so a lost response requires a status request. */
    isPaymentUnreachable: ({ context }, problem: Problem) => isUnreachable(problem) && context.credits === null,
    /** An unauthorized request charges nothing, but an earlier payment may still be open. */
    isOpen: (_, problem: Problem) => isOutcomeUnknown(problem) || problem.kind === 'unauthorized',
    isPriceChanged: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'price_changed',
    /** The customer already owns the title, or has an active subscription. */
    isAlreadyOwned: (_, problem: Problem) =>
      problem.kind === 'refused' && (problem.code === 'already_owned' || problem.code === 'already_subscribed'),
    hasPaymentPage: ({ context }) => context.url !== null && context.url !== '',
    paysByCard: ({ context }) => context.cardId !== null,
    /** A stored card starts a plan in one call, which charges nothing yet. */
    startsByCard: ({ context }) => context.of === 'subscription' && context.cardId !== null,
    /** The bank requires the customer to authenticate on its page. */
    isAsked: (_, { status, url }: PurchaseState) => status === 'pending' && url !== null,
    hasTransaction: ({ context }) => context.transId !== null,
    isGranted: (_, session: PaymentSession) => session.url === '',
    isPaid: ({ context }) => context.status === 'paid',
    cancels: ({ context }) => context.cancels,
    isAuthorized: ({ context }) => context.status === 'authorized' && context.intentId !== null,
    isPending: ({ context }) => context.status === 'pending',
    isFailed: ({ context }) => context.status === 'failed',
    isCancelled: ({ context }) => context.status === 'cancelled',
    isOwned: ({ context }) => context.status === 'owned',
  },
  delays: {
    /** The backoff in ms: 3 s, doubled with each status request, at most 60 s. */
    checkAgain: ({ context }) => Math.min(3000 * 2 ** context.checks, 60_000),
  },
});

function toDeclinedProblem(reason: string | null): Problem {
  return { kind: 'refused', code: 'declined', message: reason ?? '' };
}
