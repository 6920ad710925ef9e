import { subscribedPath } from '../../../machines/model/purchase-paths.ts';
import { currencySymbol, toMajor } from '../../base/money.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { notChangeableError, PaymentUnknown } from '../../payment/port.ts';
import {
  applyChange,
  beginChange,
  type ChangeQuote,
  isChangeable,
  readOpenChanges,
  quoteChange,
  toTerms,
} from '../../subscriptions/change-plan.ts';
import { findActiveSubscription, type Subscription } from '../../entitlements/subscription.ts';
import { type Plan, requireOfferedPlan } from '../../subscriptions/open.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

type ChangeCall = Pick<CustomerCall, 'services' | 'store' | 'spoken' | 'customer'>;

/** Lifetime of a quote, in ms. */
const QUOTE_LIFETIME_MS = 60 * 60_000;

const planChangeUnavailableError = () =>
  new DomainError('payment_unknown', 'The plan can’t be changed right now.', { code: 'payment_unavailable' });

/**
 * Reads the customer's subscription, its plan and the requested plan.
 * @throws DomainError not_found; conflict not_for_sale or plan_unchanged
 */
async function readPlanChange({ services, store, customer }: ChangeCall, planId: string) {
  const { db, payment } = services;
  const subscription = await findActiveSubscription(db, { storeId: store.id, userId: customer.id });
  if (!subscription) throw notFound('subscription');
  const currentPlan = await db
    .selectFrom('plans')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('id', '=', subscription.plan_id)
    .executeTakeFirstOrThrow();
  const isCurrentPlan = planId === subscription.plan_id;
  // The customer's own plan may be withdrawn, at a previous price.
  const newPlan = isCurrentPlan
    ? { ...currentPlan, ...toTerms(subscription, currentPlan) }
    : await requireOfferedPlan(db, store.id, planId);
  const hasOpenChange = isCurrentPlan && (await readOpenChanges(db, subscription)).length > 0;
  const isComparable = newPlan.currency === toTerms(subscription, currentPlan).currency && newPlan.amount_minor > 0;
  if (!isChangeable(subscription, payment.provider) || !isComparable || (isCurrentPlan && !hasOpenChange))
    throw notChangeableError();
  return { subscription, currentPlan, newPlan };
}

type PlanChange = { subscription: Subscription; currentPlan: Plan; newPlan: Plan };

/**
 * Quotes a plan change.
 * @throws DomainError payment_unknown payment_unavailable if the outcome of the call is unknown;
 * conflict not_for_sale for a price that the gateway cannot charge
 */
async function quotePlan(
  { services, spoken }: ChangeCall,
  { subscription, currentPlan, newPlan }: PlanChange,
  countedAt: Date,
): Promise<ChangeQuote> {
  try {
    return await quoteChange(services, subscription, currentPlan, newPlan, { at: countedAt, language: spoken.language });
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const { store_id: store, user_id: customer, id } = subscription;
    const fields = { err: error.cause, store, customer, subscription: id, plan: newPlan.id };
    services.log.warn(fields, 'payment.plan_quote.outcome_unknown');
    throw planChangeUnavailableError();
  }
}

/** Returns the shop's time rounded down to seconds, the resolution of gateways. */
const getCurrentSecond = (): Date => new Date(Math.floor(shopNow().getTime() / 1000) * 1000);

/** Returns the cost of another plan, and the time at which it would start. */
export async function quotePlanChange(call: CustomerCall<'quotePlanChange'>): Answer<'quotePlanChange'> {
  const planChange = await readPlanChange(call, call.query.planId);
  const at = getCurrentSecond();
  const { starts, dueMinor } = await quotePlan(call, planChange, at);
  const { newPlan, subscription } = planChange;
  return {
    planId: newPlan.id,
    starts,
    due: { amount: toMajor(dueMinor, newPlan.currency), currency: newPlan.currency, symbol: currencySymbol(newPlan.currency) },
    at: (starts === 'now' ? at : subscription.renews_at)?.toISOString() ?? null,
    quotedAt: at.toISOString(),
  };
}

/**
 * Parses the time of the quote; without one, returns the current time.
 * @throws DomainError conflict price_changed if the quote is too old, or in the future
 */
function parseQuoteMoment(quotedAt: string | undefined): Date {
  if (quotedAt === undefined) return getCurrentSecond();
  const [quoteTime, now] = [new Date(quotedAt), shopNow().getTime()];
  if (!(quoteTime.getTime() <= now && now - quoteTime.getTime() <= QUOTE_LIFETIME_MS)) throw priceChangedError();
  return quoteTime;
}

const priceChangedError = () => new DomainError('conflict', 'The price has changed.', { code: 'price_changed' });

/**
 * Changes the customer's subscription to another plan. A pending change to that plan is continued,
 * even after a newer quote.
 * @returns the URL to send the customer to
 */
export async function startPlanChange(call: CustomerCall<'customerPortal'>, planId: string): Answer<'customerPortal'> {
  const { services, store, request, query, customer } = call;
  const url = getStoreOrigin(store, request, services.config) + subscribedPath;
  const subscription = await findActiveSubscription(services.db, { storeId: store.id, userId: customer.id });
  const [pendingChange] = subscription
    ? (await readOpenChanges(services.db, subscription)).filter(({ status }) => status === 'pending')
    : [];
  // The change may have been made already, and the response lost.
  if (
    subscription &&
    !pendingChange &&
    subscription.plan_id === planId &&
    (await readOpenChanges(services.db, subscription)).length === 0
  )
    return { url };
  let change = pendingChange?.plan_id === planId ? pendingChange : undefined;
  if (!change) {
    const planChange = await readPlanChange(call, planId);
    const countedAt = parseQuoteMoment(query.quotedAt);
    const { starts, dueMinor } = await quotePlan(call, planChange, countedAt);
    if (query.due !== undefined && query.due !== toMajor(dueMinor, planChange.newPlan.currency)) throw priceChangedError();
    change = await beginChange(services.db, planChange.subscription, planChange.newPlan, { starts, at: countedAt });
  }
  if (!change) return { url };
  try {
    await applyChange(services, change);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const { store_id, subscription_id, id } = change;
    const ids = { store: store_id, customer: customer.id, subscription: subscription_id, change: id };
    services.log.warn({ err: error.cause, ...ids, willRetry: true }, 'payment.plan_change.outcome_unknown');
    throw new DomainError('payment_unknown', 'The payment gateway did not answer about the plan change.', {
      code: 'payment_unknown',
    });
  }
  return { url };
}
