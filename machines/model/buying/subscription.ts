import * as v from 'valibot';
import { Price } from '../catalogue/title.ts';

export const PlanInterval = v.picklist(['week', 'month', 'quarter', 'year']);
export type PlanInterval = v.InferOutput<typeof PlanInterval>;

/**
 * A subscription plan; `description` may be HTML. `price` and `interval` are null if the server
 * does not state them. Each renewal grants the `credits`.
 */
export const Plan = v.object({
  id: v.pipe(v.string(), v.nonEmpty()),
  name: v.string(),
  description: v.string(),
  price: v.nullable(Price),
  interval: v.nullable(PlanInterval),
  trialDays: v.number(),
  /** Whether the customer would begin with these days; undefined where the server does not say. */
  trialApplies: v.optional(v.boolean()),
  credits: v.number(),
  /**
   * Subscribers can read all titles of the shop, or the number of titles that the plan includes.
   */
  opensAll: v.optional(v.boolean()),
  opensTitles: v.optional(v.number()),
  /** The first of the included titles. */
  titles: v.optional(v.array(v.object({ id: v.pipe(v.string(), v.nonEmpty()), name: v.string() }))),
});
export type Plan = v.InferOutput<typeof Plan>;

/**
 * Whether a plan begins with free days for this customer; `unknown` where the server has not said
 * whether the customer subscribes for the first time.
 */
export const trialOf = ({ trialDays, trialApplies }: Plan, byCode: boolean): 'none' | 'certain' | 'unknown' => {
  if (trialDays <= 0) return 'none';
  if (byCode || trialApplies === true) return 'certain';
  return trialApplies === false ? 'none' : 'unknown';
};

/**
 * The customer's current or last subscription. `until` is ISO 8601: the next renewal (`active`),
 * the end of access unless payment succeeds (`pastDue`), the future end (`cancelled`), or the past
 * end. Each renewal grants the `credits`.
 */
export const HeldSubscription = v.object({
  planId: v.string(),
  name: v.string(),
  status: v.picklist(['active', 'pastDue', 'cancelled', 'ended']),
  price: v.nullable(Price),
  interval: v.nullable(PlanInterval),
  credits: v.number(),
  until: v.nullable(v.string()),
  /** The refunded part of its payments. */
  refunded: v.nullish(Price),
  /** For a cancelled one that is active until the period ends: whether it can be reactivated. */
  resumable: v.nullish(v.boolean()),
  /** The customer can change to another plan. */
  changeable: v.optional(v.boolean()),
  /**
   * The plan that starts with the next renewal, or, while `changing`, once the gateway has
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

/** Whether its benefits can still be used. */
export const isRunning = (held: HeldSubscription | null): boolean => held !== null && held.status !== 'ended';

/** Whether it will be renewed, so that cancelling has an effect. */
export const isRenewing = (held: HeldSubscription | null): boolean => held?.status === 'active' || held?.status === 'pastDue';

/**
 * Whether it was free and expires by itself, such as one from a code, without being cancelled by
 * the customer.
 */
export const isComplimentary = ({ status, price }: HeldSubscription): boolean => status === 'cancelled' && price?.amount === 0;

/** Whether it was cancelled and can be reactivated. */
export const isResumable = (held: HeldSubscription | null): boolean => held?.status === 'cancelled' && held.resumable === true;

/** The amount due now for another plan, and when that plan starts (ISO 8601). */
export const PlanQuote = v.object({
  planId: v.string(),
  /** `unknown` if the server leaves the answer to the gateway’s page. */
  starts: v.picklist(['now', 'renewal', 'unknown']),
  due: Price,
  at: v.nullable(v.string()),
  quotedAt: v.string(),
});
export type PlanQuote = v.InferOutput<typeof PlanQuote>;

/**
 * Whether the subscription can change to this plan; choosing its own plan cancels a scheduled
 * change.
 */
export function canChangeTo(held: HeldSubscription | null, planId: string, plans: readonly Plan[]): boolean {
  if (held?.changeable !== true || held.next?.changing === true) return false;
  if (planId === held.planId) return (held.next ?? null) !== null;
  const price = plans.find(({ id }) => id === planId)?.price;
  const isInItsMoney = held.price === null || price?.currency === held.price.currency;
  return planId !== held.next?.planId && price != null && price.amount > 0 && isInItsMoney;
}

/** A price in credits, with the store's name for them. */
export type Credits = { amount: number; currency: string };

/** `currency` is the store's name for its credits. `accepted`: titles can be bought with them. */
export type CreditBalance = { balance: number; currency: string; accepted: boolean };
