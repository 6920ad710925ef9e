import * as v from 'valibot';
import { Price } from '../catalogue/title.ts';

export const PlanInterval = v.picklist(['week', 'month', 'quarter', 'year']);
export type PlanInterval = v.InferOutput<typeof PlanInterval>;

/**
 * A plan that customers subscribe to; `description` may be HTML. `price` and `interval` are null
 * where the server does not say how much is paid, or how often. Each renewal brings the `credits`.
 */
export const Plan = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  description: v.string(),
  price: v.nullable(Price),
  interval: v.nullable(PlanInterval),
  trialDays: v.number(),
  credits: v.number(),
  /** Subscribers read every title of the shop, or so many that the plan names. */
  opensAll: v.optional(v.boolean()),
  opensTitles: v.optional(v.number()),
  /** The first of these. */
  titles: v.optional(v.array(v.object({ id: v.pipe(v.string(), v.nonEmpty()), name: v.string() }))),
});
export type Plan = v.InferOutput<typeof Plan>;

/**
 * The subscription that a customer has, or had last. `until` is ISO 8601: when it is renewed next
 * (`active`), when access ends unless the payment is made (`pastDue`), when it ends (`cancelled`),
 * or has ended. `credits` are what each renewal brings.
 */
export const HeldSubscription = v.object({
  planId: v.string(),
  name: v.string(),
  status: v.picklist(['active', 'pastDue', 'cancelled', 'ended']),
  price: v.nullable(Price),
  interval: v.nullable(PlanInterval),
  credits: v.number(),
  until: v.nullable(v.string()),
  /** What went back of its payments. */
  refunded: v.nullish(Price),
  /** Of one that was cancelled and still runs: whether it can be taken up again. */
  resumable: v.nullish(v.boolean()),
  /** Another plan can be chosen. */
  changeable: v.optional(v.boolean()),
  /**
   * The plan that begins with the next renewal, or, while `changing`, as soon as the gateway has
   * answered.
   */
  next: v.nullish(
    v.object({
      planId: v.string(),
      name: v.string(),
      price: v.nullable(Price),
      interval: v.nullable(PlanInterval),
      changing: v.boolean(),
    }),
  ),
});
export type HeldSubscription = v.InferOutput<typeof HeldSubscription>;

/** Whether what it brings can still be used. */
export const runs = (held: HeldSubscription | null): boolean => held !== null && held.status !== 'ended';

/** Whether it would be renewed, so that cancelling changes something. */
export const isRenewed = (held: HeldSubscription | null): boolean => held?.status === 'active' || held?.status === 'pastDue';

/** Whether it came for nothing and ends by itself, such as by a code: nobody has cancelled it. */
export const isGiven = ({ status, price }: HeldSubscription): boolean => status === 'cancelled' && price?.amount === 0;

/** Whether it was cancelled and can be taken up again. */
export const isResumable = (held: HeldSubscription | null): boolean => held?.status === 'cancelled' && held.resumable === true;

/** What another plan would cost at once, and when (ISO 8601) it would begin. */
export const PlanQuote = v.object({
  planId: v.string(),
  /** `unknown` of a server that does not say before the gateway’s page does. */
  starts: v.picklist(['now', 'renewal', 'unknown']),
  due: Price,
  at: v.nullable(v.string()),
  quotedAt: v.string(),
});
export type PlanQuote = v.InferOutput<typeof PlanQuote>;

/**
 * Whether the subscription can be given this plan; its own one takes back the change that waits.
 */
export function mayChangeTo(held: HeldSubscription | null, planId: string, plans: readonly Plan[]): boolean {
  if (held?.changeable !== true || held.next?.changing === true) return false;
  if (planId === held.planId) return (held.next ?? null) !== null;
  const price = plans.find(({ id }) => id === planId)?.price;
  const isInItsMoney = held.price === null || price?.currency === held.price.currency;
  return planId !== held.next?.planId && price != null && price.amount > 0 && isInItsMoney;
}

/** A price in credits, in the store's own word for them. */
export type Credits = { amount: number; currency: string };

/** `currency` is what the store calls its credits. `accepted`: titles can be had for them. */
export type CreditBalance = { balance: number; currency: string; accepted: boolean };
