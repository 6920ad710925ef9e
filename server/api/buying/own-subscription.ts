import { currencySymbol, toMajor } from '../../base/money.ts';
import type { Database } from '../../database/open.ts';
import { type StoreLanguage, localizeText } from '../../base/language.ts';
import { cardReturnPath } from '../../../machines/model/purchase-paths.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { toGatewayCustomer } from '../../payment/cards.ts';
import { notResumableError, PaymentUnknown } from '../../payment/port.ts';
import { applyRemoteSubscription, resumeAtGateway } from '../../subscriptions/renew.ts';
import { beginResuming, subscriptionOverError, isResumable } from '../../subscriptions/resume.ts';
import { cancelAtEnd } from '../../subscriptions/cancel.ts';
import { isChangeable, readOpenChanges } from '../../subscriptions/change-plan.ts';
import {
  readCreditsPerRenewal,
  isRunning,
  findLatestSubscription,
  findActiveSubscription,
  type Subscription,
} from '../../entitlements/subscription.ts';
import type { Services } from '../../services.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { startPlanChange } from './change-plan.ts';
import { okResult } from '../calls/ok-result.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

const toPrice = (minor: number, currency: string) => ({
  amount: toMajor(minor, currency),
  currency,
  symbol: currencySymbol(currency),
});

/**
 * Returns the status of a subscription for its customer, and the end of access or of the period.
 */
function toStatus(row: Subscription, now: Date): { status: 'active' | 'pastDue' | 'cancelled' | 'ended'; until: Date | null } {
  if (!isRunning(row, now)) return { status: 'ended', until: row.ended_at ?? row.renews_at };
  if (row.cancelled_at !== null) return { status: 'cancelled', until: row.renews_at };
  return { status: row.status === 'past_due' ? 'pastDue' : 'active', until: row.renews_at };
}

/**
 * Updates a past due subscription from the gateway, where its customer may just have entered
 * another card.
 */
async function syncPastDue({ db, payment, log }: Services, subscription: Subscription | undefined): Promise<void> {
  if (subscription?.status !== 'past_due' || subscription.provider_id === null || subscription.provider !== payment.provider)
    return;
  try {
    const remote = await payment.readSubscription(subscription.provider_id);
    if (remote) await applyRemoteSubscription(db, subscription, remote);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    // The sweep retries.
    const { store_id: store, user_id: customer, id } = subscription;
    const fields = { err: error.cause, store, customer, subscription: id, willRetry: true };
    log.warn(fields, 'payment.subscription_read.outcome_unknown');
  }
}

/** Returns the customer's active or latest subscription. */
export async function ownSubscription({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'ownSubscription'>): Answer<'ownSubscription'> {
  const subscriber = { storeId: store.id, userId: customer.id };
  await syncPastDue(services, await findActiveSubscription(services.db, subscriber));
  const subscription = await findLatestSubscription(services.db, subscriber);
  if (!subscription) return { subscription: null };
  const { status, until } = toStatus(subscription, shopNow());
  return {
    subscription: {
      planId: subscription.plan_id,
      name: localizeText(subscription, 'name', spoken),
      status,
      price: toPrice(subscription.price, subscription.paid_in),
      interval: subscription.paid_each,
      credits: subscription.credits ?? (await readCreditsPerRenewal(services.db, store.id)),
      until: until?.toISOString() ?? null,
      refunded:
        Number(subscription.refunded_minor) > 0 ? toPrice(Number(subscription.refunded_minor), subscription.paid_in) : null,
      resumable: isResumable(subscription, services.payment, shopNow()) ?? null,
      changeable: isChangeable(subscription, services.payment.provider),
      next: status === 'active' ? await readNextPlan(services.db, subscription, spoken) : null,
    },
  };
}

/** Returns the next plan if a plan change is open, else null. */
async function readNextPlan(db: Database, subscription: Subscription, spoken: StoreLanguage) {
  const [change] = (await readOpenChanges(db, subscription)).filter(
    (each) => each.status === 'pending' || each.plan_id !== subscription.plan_id,
  );
  if (!change || change.plan_id === subscription.plan_id) return null;
  const plan = await db
    .selectFrom('plans')
    .select(['name', 'translations'])
    .where('store_id', '=', subscription.store_id)
    .where('id', '=', change.plan_id)
    .executeTakeFirstOrThrow();
  return {
    planId: change.plan_id,
    name: localizeText(plan, 'name', spoken),
    price: toPrice(change.amount_minor, change.currency),
    interval: change.period,
    changing: change.status === 'pending',
  };
}

/**
 * Cancels the customer's subscription at the end of the paid period.
 * @throws DomainError not_found if the customer has never had a subscription
 */
export async function cancelSubscription(call: CustomerCall<'cancelSubscription'>): Answer<'cancelSubscription'> {
  const { services, store, customer, request } = call;
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  if (!(await cancelAtEnd(services.db, owner))) throw notFound('subscription');
  return okResult();
}

/**
 * Reactivates the customer's cancelled subscription, here at once; if the outcome at the gateway is
 * unknown, the sweep retries.
 * @throws DomainError not_found if the customer has never had a subscription; conflict
 * subscription_over, not_resumable
 */
export async function resumeSubscription(call: CustomerCall<'resumeSubscription'>): Answer<'resumeSubscription'> {
  const { services, store, customer, request } = call;
  const row = await beginResuming(services, { storeId: store.id, userId: customer.id, address: request.ip });
  if (!row) throw notFound('subscription');
  if (!row.cancel_told) return okResult();
  try {
    const { state, cancelled } = await resumeAtGateway(services, row);
    if (state === 'ended') throw subscriptionOverError();
    if (cancelled) throw notResumableError();
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const ids = { store: store.id, customer: customer.id, subscription: row.id };
    services.log.warn({ err: error.cause, ...ids, willRetry: true }, 'payment.subscription_resume.outcome_unknown');
  }
  return okResult();
}

/**
 * Returns the gateway's page on which the customer replaces the card of an active subscription;
 * with `upgradeplan`, changes the plan.
 * @throws DomainError not_found if no subscription at the current gateway can renew;
 * payment_unknown payment_unavailable if the outcome of a call of the gateway is unknown; with
 * `upgradeplan` the errors of `startPlanChange`
 */
export async function customerPortal(call: CustomerCall<'customerPortal'>): Answer<'customerPortal'> {
  const { services, store, spoken, customer, request, query } = call;
  if (query.upgradeplan !== undefined) return startPlanChange(call, query.upgradeplan);
  const subscriber = { storeId: store.id, userId: customer.id, address: request.ip };
  const subscription = await findActiveSubscription(services.db, subscriber);
  if (
    !subscription ||
    subscription.cancelled_at !== null ||
    subscription.provider_id === null ||
    subscription.provider !== services.payment.provider
  )
    throw notFound('subscription');
  try {
    const url = await services.payment.startSetup({
      customer: toGatewayCustomer(subscriber),
      subscription: subscription.provider_id,
      shopName: await readShopName(services.db, store.id, spoken),
      returnUrl: getStoreOrigin(store, request, services.config) + cardReturnPath,
      language: request.headers['accept-language']?.slice(0, 100) || '*',
    });
    return { url };
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const fields = { err: error.cause, store: store.id, customer: customer.id, subscription: subscription.id };
    services.log.warn(fields, 'payment.customer_portal.outcome_unknown');
    throw new DomainError('payment_unknown', 'The page can’t be opened right now.', { code: 'payment_unavailable' });
  }
}
