import * as v from 'valibot';
import { TaxRate } from './tax.ts';
import { Cover, Price, TitleSummary } from '../catalogue/title.ts';

/** The purpose of a payment: a title or all of a cart, for the customer or as a gift; or a plan. */
export const PaidFor = v.picklist(['title', 'cart', 'gift', 'cartGift', 'subscription']);
export type PaidFor = v.InferOutput<typeof PaidFor>;

/**
 * The response to starting a payment, which charges nothing; `url` is the gateway's hosted page.
 */
export const PaymentSession = v.object({ transId: v.pipe(v.string(), v.nonEmpty()), provider: v.string(), url: v.string() });
export type PaymentSession = v.InferOutput<typeof PaymentSession>;

const PaymentStatus = v.picklist(['pending', 'authorized', 'paid', 'failed', 'cancelled']);

/**
 * The state of a transaction. `url` is the gateway's hosted page while the payment is pending;
 * `reason` is the gateway's reason why the payment failed or a card was refused.
 */
export const PaymentState = v.object({
  transId: v.string(),
  titleId: v.string(),
  status: PaymentStatus,
  intentId: v.nullable(v.string()),
  url: v.nullable(v.string()),
  reason: v.nullable(v.string()),
});
export type PaymentState = v.InferOutput<typeof PaymentState>;

/** The success page's data of a finished purchase; `paidAt` is ISO 8601. */
export const Receipt = v.object({
  transId: v.string(),
  titleId: v.string(),
  instanceId: v.string(),
  name: v.string(),
  /** Missing if neither the server nor this browser knows it. */
  amount: v.optional(v.number()),
  currency: v.string(),
  symbol: v.string(),
  paidAt: v.string(),
  /** The tax included in the amount, by rates; missing if none was added. */
  tax: v.optional(v.number()),
  taxRates: v.optional(v.array(TaxRate)),
  /** The credits paid instead of money. */
  credits: v.optional(v.number()),
  /**
   * The refunded part of the amount. Missing without a refund.
   */
  refunded: v.optional(v.number()),
  /** Set once the whole amount was refunded and the titles withdrawn (ISO 8601). */
  refundedAt: v.optional(v.string()),
  cover: v.nullable(Cover),
  /** The recipient of a gift; `deliverOn` is the day when it is sent, empty for at once. */
  gift: v.optional(v.object({ deliverOn: v.string(), pii: v.object({ name: v.string(), email: v.string() }) })),
  /**
   * All titles, if several were bought at once: the fields above are then the first title's, except
   * for `amount`, which is the total.
   */
  titles: v.optional(v.array(v.object({ titleId: v.string(), name: v.string(), amount: v.number() }))),
});
export type Receipt = v.InferOutput<typeof Receipt>;

/**
 * A customer's access to a title: `instanceId` is their copy, null without one; `withSubscription`
 * if they do not own the title, but their subscription opens it.
 */
export type Access = { instanceId: string | null; withSubscription: boolean };

/**
 * A title that the customer owns, or that their subscription opens. `progress` is 0 to 1; dates are
 * ISO 8601.
 */
export const OwnedTitle = v.object({
  instanceId: v.pipe(v.string(), v.nonEmpty()),
  purchasedAt: v.string(),
  lastOpenedAt: v.nullable(v.string()),
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  title: TitleSummary,
  /** The title leaves the library when the subscription ends. */
  withSubscription: v.optional(v.boolean()),
});
export type OwnedTitle = v.InferOutput<typeof OwnedTitle>;

/**
 * A refunded order; `name` is that of its first title, dates are ISO 8601, `paid` and `credits` are
 * the refunded amounts.
 */
export const Refund = v.object({
  transId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  titles: v.number(),
  purchasedAt: v.string(),
  refundedAt: v.string(),
  paid: v.nullable(Price),
  credits: v.optional(v.number()),
  /** Recent enough for the library to show it. */
  recent: v.optional(v.boolean()),
});
export type Refund = v.InferOutput<typeof Refund>;

/**
 * A customer's library. `left` is the number of titles that recently left it at the end of a
 * subscription, with the time (ISO 8601); `refunds` are recently refunded orders.
 */
export type Library = { titles: OwnedTitle[]; left: { count: number; at: string } | null; refunds?: Refund[] };

/**
 * An entry of the account's purchases: a title, the time at which it was added to the library
 * (ISO 8601), and its price, null without a payment.
 */
export const PurchaseRecord = v.object({
  instanceId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  purchasedAt: v.string(),
  /** The transaction of the title's receipt; null without a receipt. */
  transId: v.nullable(v.string()),
  paid: v.nullable(Price),
  /** The credits paid instead of money. */
  credits: v.optional(v.number()),
  /** When the title was withdrawn after a refund (ISO 8601). */
  refundedAt: v.optional(v.string()),
});
export type PurchaseRecord = v.InferOutput<typeof PurchaseRecord>;
