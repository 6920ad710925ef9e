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
  /** Whether the customer would get the trial; undefined if the server does not state it. */
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
 * Whether a plan begins with a trial for this customer; `unknown` if the server has not stated
 * whether they subscribe for the first time. With a code for a trial, the trial is certain.
 */
export const getTrial = ({ trialDays, trialApplies }: Plan, hasTrialCode: boolean): 'none' | 'certain' | 'unknown' => {
  if (trialDays <= 0) return 'none';
  if (hasTrialCode || trialApplies === true) return 'certain';
  return trialApplies === false ? 'none' : 'unknown';
};

/**
 * The customer's current or last subscription. `until` is ISO 8601: the next renewal (`active`),
 * the end of access unless payment succeeds (`pastDue`), the future end (`cancelled`), or the past
 * end (`ended`). Each renewal grants the `credits`.
 */
export const HeldSubscription = v.object({
  planId: v.string(),
  name: v.string(),
  status: v.picklist(['active', 'pastDue', 'cancelled', 'ended']),
  price: v.nullable(Price),
  interval: v.nullable(PlanInterval),
  credits: v.number(),
  until: v.nullable(v.string()),
  /** The refunded part of the subscription's payments. */
  refunded: v.nullish(Price),
  /** Whether a cancelled subscription can be reactivated until the period ends. */
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

/** Whether the subscription still gives its benefits. */
export const isRunning = (subscription: HeldSubscription | null): boolean =>
  subscription !== null && subscription.status !== 'ended';

/** Whether the subscription will be renewed, so that cancelling it has an effect. */
export const isRenewing = (subscription: HeldSubscription | null): boolean =>
  subscription?.status === 'active' || subscription?.status === 'pastDue';

/**
 * Whether the subscription is free and expires by itself, such as one from a code, although its
 * status is `cancelled`: the customer has not cancelled it.
 */
export const isComplimentary = ({ status, price }: HeldSubscription): boolean => status === 'cancelled' && price?.amount === 0;

/** Whether the subscription was cancelled and can be reactivated. */
export const isResumable = (subscription: HeldSubscription | null): boolean =>
  subscription?.status === 'cancelled' && subscription.resumable === true;

/** The amount due now for another plan, and when that plan starts (ISO 8601). */
export const PlanQuote = v.object({
  planId: v.string(),
  /** When the plan starts; `unknown` if only the gateway’s page shows it. */
  starts: v.picklist(['now', 'renewal', 'unknown']),
  due: Price,
  at: v.nullable(v.string()),
  quotedAt: v.string(),
});
export type PlanQuote = v.InferOutput<typeof PlanQuote>;

/**
 * Whether the subscription can change to this plan. A change to the current plan is possible only
 * to cancel a scheduled change.
 */
export function canChangeTo(subscription: HeldSubscription | null, planId: string, plans: readonly Plan[]): boolean {
  if (subscription?.changeable !== true || subscription.next?.changing === true) return false;
  if (planId === subscription.planId) return (subscription.next ?? null) !== null;
  const price = plans.find(({ id }) => id === planId)?.price;
  const hasSameCurrency = subscription.price === null || price?.currency === subscription.price.currency;
  return planId !== subscription.next?.planId && price != null && price.amount > 0 && hasSameCurrency;
}

/** A price in credits, with the store's name for them. */
export type Credits = { amount: number; currency: string };

/** `currency` is the store's name for its credits; `accepted` if titles can be bought with them. */
export type CreditBalance = { balance: number; currency: string; accepted: boolean };
