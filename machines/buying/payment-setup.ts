import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { GiftForm } from '../model/buying/gift.ts';
import { isUnreached, mayHaveHappened, type Problem } from '../model/problem.ts';
import type { PaidFor, PaymentSession, PaymentState } from '../model/buying/purchase.ts';
import type { Credits } from '../model/buying/subscription.ts';
import type { Tax } from '../model/buying/tax.ts';
import type { Price } from '../model/catalogue/title.ts';
import { isMissing, requestPort } from '../ports.ts';

/**
 * An order. `transId` is known when an unfinished payment is taken up again, `intentId` where the
 * gateway has led back with it. `cardId` is a card that the gateway keeps; without one the customer
 * pays on the gateway's page. `credits` are given instead of money, and the title is granted at
 * once.
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
  /** Of the other ways that the server names; null by card or with credits. */
  method: string | null;
  /** Added to the price, as the customer has seen it. */
  tax: Tax | null;
  /**
   * For whom else it is; the form is null where the payment was begun before. `key` is the gift’s
   * own id.
   */
  gift: { pii: { form: GiftForm | null } } | null;
};

/**
 * How far a payment is; `none` when the server knows of no purchase, `owned` when the title is
 * there all the same.
 */
export type PurchaseState = Omit<PaymentState, 'status'> & {
  status: PaymentState['status'] | 'none' | 'owned';
  /** Where the page may not know it. */
  paidFor?: PaidFor | null;
};

/** An authorised payment that is to be taken. */
export type Confirmation = { of: PaidFor; transId: string; intentId: string };

/** A payment that is asked about, and its page at the gateway, where that is known. */
export type OpenOrder = Order & { url: string | null };

export type Outcome = 'succeeded' | 'failed' | 'cancelled' | 'priceChanged' | 'owned' | 'none' | 'notFound';
export type PaymentOutput = {
  outcome: Outcome;
  titleId: string;
  transId: string | null;
  problem: Problem | null;
  /** Its purpose, where it may not be what was ordered. */
  paidFor: PaidFor | null;
};

type Context = Order & {
  /** The gateway's page, while the payment is not finished. */
  url: string | null;
  status: PurchaseState['status'] | null;
  paidFor: PaidFor | null;
  /**
   * The customer has cancelled: an unpaid order stays so, however long it takes to hear its status.
   */
  cancels: boolean;
  /** How often an unknown outcome has been asked for; the wait grows with it. */
  checks: number;
  problem: Problem | null;
  outcome: Outcome;
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
     * Starts the payment and remembers it; charges nothing. Free titles are granted at once, with
     * an empty `url`.
     */
    startPayment: requestPort<PaymentSession, Order>(),
    /**
     * Pays the started order with a card that the gateway keeps, once, however often it is asked;
     * `pending` where the bank wants to ask the customer first.
     */
    payByCard: requestPort<PurchaseState, Order>(),
    /** Takes the authorised payment and grants the title, once, however often it is asked. */
    confirmPayment: requestPort<null, Confirmation>(),
    /** Asks how far a payment is and changes nothing. */
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
      problem: status === 'failed' ? declined(reason) : null,
      paidFor: paidFor ?? context.paidFor,
    })),
    keepProblem: keepProblem(),
    keepCancel: assign({ cancels: true }),
    countCheck: assign({ checks: ({ context }) => context.checks + 1 }),
    conclude: assign({ outcome: (_, outcome: Outcome) => outcome }),
    goPay: sendParent(({ context }) => ({ type: 'leave', url: context.url ?? '' })),
  },
  guards: {
    isMissing,
    /** Credits are given at once: where no answer comes they may be gone, which has to be asked. */
    isUnreached: ({ context }, problem: Problem) => isUnreached(problem) && context.credits === null,
    /**
     * An unauthorized request charges nothing, but a payment that was started before may still be
     * open.
     */
    isOpen: (_, problem: Problem) => mayHaveHappened(problem) || problem.kind === 'unauthorized',
    isPriceChanged: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'price_changed',
    /** The title is the customer's, or their subscription runs. */
    isAlreadyOwned: (_, problem: Problem) =>
      problem.kind === 'refused' && (problem.code === 'already_owned' || problem.code === 'already_subscribed'),
    hasPaymentPage: ({ context }) => context.url !== null && context.url !== '',
    paysByCard: ({ context }) => context.cardId !== null,
    /** A plan is begun by a kept card in one call, which charges nothing yet. */
    beginsByCard: ({ context }) => context.of === 'subscription' && context.cardId !== null,
    /** The bank has a page for the customer. */
    isAsked: (_, { status, url }: PurchaseState) => status === 'pending' && url !== null,
    isTakenUp: ({ context }) => context.transId !== null,
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
    /** 3 s, then twice as long each time, at most a minute. */
    checkAgain: ({ context }) => Math.min(3000 * 2 ** context.checks, 60_000),
  },
});

function declined(reason: string | null): Problem {
  return { kind: 'refused', code: 'declined', message: reason ?? '' };
}
