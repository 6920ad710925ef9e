import * as v from 'valibot';
import { TaxRate } from './tax.ts';
import { Cover, Price, TitleSummary } from '../catalogue/title.ts';

/** The purpose of a payment: a title or all of a cart, for the customer or as a gift; or a plan. */
export const PaidFor = v.picklist(['title', 'cart', 'gift', 'cartGift', 'subscription']);
export type PaidFor = v.InferOutput<typeof PaidFor>;

/** Answer of the payment session: nothing is charged yet; `url` is the gateway's hosted page. */
export const PaymentSession = v.object({ transId: v.pipe(v.string(), v.nonEmpty()), provider: v.string(), url: v.string() });
export type PaymentSession = v.InferOutput<typeof PaymentSession>;

const PaymentStatus = v.picklist(['pending', 'authorized', 'paid', 'failed', 'cancelled']);

/**
 * The state of a transaction; `url` leads back to the hosted page while it is pending, `reason`
 * says why it failed, or why a card was not taken.
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

/** What the success page shows of a finished purchase; `paidAt` is ISO 8601. */
export const Receipt = v.object({
  transId: v.string(),
  titleId: v.string(),
  instanceId: v.string(),
  name: v.string(),
  /** missing where neither the server nor this browser knows it */
  amount: v.optional(v.number()),
  currency: v.string(),
  symbol: v.string(),
  paidAt: v.string(),
  /** What of it is tax, by rates; none where none was added. */
  tax: v.optional(v.number()),
  taxRates: v.optional(v.array(TaxRate)),
  /** What was given instead of money. */
  credits: v.optional(v.number()),
  /**
   * The refunded part of the amount, and when all of it and the titles went back; missing without
   * a refund.
   */
  refunded: v.optional(v.number()),
  refundedAt: v.optional(v.string()),
  cover: v.nullable(Cover),
  /** Of a gift, who gets it; `deliverOn` is the day on which it goes out, empty for at once. */
  gift: v.optional(v.object({ deliverOn: v.string(), pii: v.object({ name: v.string(), email: v.string() }) })),
  /**
   * Where several titles were bought at once, all of them; the fields above are the first one's,
   * and the amount is that of all.
   */
  titles: v.optional(v.array(v.object({ titleId: v.string(), name: v.string(), amount: v.number() }))),
});
export type Receipt = v.InferOutput<typeof Receipt>;

/**
 * Whether a title is the customer's: the instance id of their copy, null where they have none;
 * `withSubscription`: not theirs, but their subscription opens it.
 */
export type Access = { instanceId: string | null; withSubscription: boolean };

/**
 * A title that the customer owns, or that their subscription opens. `progress` 0 to 1; dates ISO
 * 8601.
 */
export const OwnedTitle = v.object({
  instanceId: v.pipe(v.string(), v.nonEmpty()),
  purchasedAt: v.string(),
  lastOpenedAt: v.nullable(v.string()),
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  title: TitleSummary,
  /** It leaves the library when the subscription ends. */
  withSubscription: v.optional(v.boolean()),
});
export type OwnedTitle = v.InferOutput<typeof OwnedTitle>;

/**
 * An order that went back; `name` is that of the first of its titles, dates are ISO 8601, `paid`
 * and `credits` are what came back.
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
  /** The library still tells of it. */
  recent: v.optional(v.boolean()),
});
export type Refund = v.InferOutput<typeof Refund>;

/**
 * A customer's library. `left`: how many titles have left it with a subscription that has ended
 * lately, and when (ISO 8601); `refunds`: the orders that have left it lately with their money.
 */
export type Library = { titles: OwnedTitle[]; left: { count: number; at: string } | null; refunds?: Refund[] };

/**
 * A line of the account: a title that came into the library, when, and for how much; null without
 * a payment.
 */
export const PurchaseRecord = v.object({
  instanceId: v.pipe(v.string(), v.nonEmpty()),
  titleId: v.pipe(v.string(), v.nonEmpty()),
  name: v.pipe(v.string(), v.nonEmpty()),
  purchasedAt: v.string(),
  /** Of its receipt; null where there is none. */
  transId: v.nullable(v.string()),
  paid: v.nullable(Price),
  /** What was given instead of money. */
  credits: v.optional(v.number()),
  /** Since when it is the customer's no more (ISO 8601). */
  refundedAt: v.optional(v.string()),
});
export type PurchaseRecord = v.InferOutput<typeof PurchaseRecord>;
