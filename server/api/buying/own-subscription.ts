import { currencySymbol, toMajor } from '../../base/money.ts';
import type { Database } from '../../database/open.ts';
import { type StoreLanguage, localizeText } from '../../base/language.ts';
import { cardReturnPath } from '../../../machines/model/paths.ts';
import { readShopName } from '../../catalogue/shop-name.ts';
import { getStoreOrigin } from '../../stores/origin.ts';
import { toGatewayCustomer } from '../../payment/cards.ts';
import { notResumableError, PaymentUnknown } from '../../payment/port.ts';
import { applyRemoteSubscription, notifyResumed } from '../../subscriptions/renew.ts';
import { beginResuming, subscriptionOverError, isResumable } from '../../subscriptions/resume.ts';
import { cancelAtEnd } from '../../subscriptions/cancel.ts';
import { isChangeable, readOpenChanges } from '../../subscriptions/change-plan.ts';
import {
  readCreditsPerRenewal,
  isRunning,
  lastSubscription,
  runningSubscription,
  type Subscription,
} from '../../entitlements/held.ts';
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

/** The status of a subscription for its customer, and until when it lasts. */
function toStatus(row: Subscription, now: Date): { status: 'active' | 'pastDue' | 'cancelled' | 'ended'; until: Date | null } {
  if (!isRunning(row, now)) return { status: 'ended', until: row.ended_at ?? row.renews_at };
  if (row.cancelled_at !== null) return { status: 'cancelled', until: row.renews_at };
  return { status: row.status === 'past_due' ? 'pastDue' : 'active', until: row.renews_at };
}

/**
 * Refreshes a subscription that is past due: its customer may just have given the gateway another
 * card.
 */
async function syncPastDue({ db, payment, log }: Services, held: Subscription | undefined): Promise<void> {
  if (held?.status !== 'past_due' || held.provider_id === null || held.provider !== payment.provider) return;
  try {
    const remote = await payment.readSubscription(held.provider_id);
    if (remote) await applyRemoteSubscription(db, held, remote);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    // The sweep retries.
    log.warn({ err: error.cause, subscription: held.id, willRetry: true }, 'payment.subscription.timeout');
  }
}

/** The customer's current or last subscription. */
export async function ownSubscription({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'ownSubscription'>): Answer<'ownSubscription'> {
  const subscriber = { storeId: store.id, userId: customer.id };
  await syncPastDue(services, await runningSubscription(services.db, subscriber));
  const held = await lastSubscription(services.db, subscriber);
  if (!held) return { subscription: null };
  const { status, until } = toStatus(held, shopNow());
  return {
    subscription: {
      planId: held.plan_id,
      name: localizeText(held, 'name', spoken),
      status,
      price: toPrice(held.price, held.paid_in),
      interval: held.paid_each,
      credits: held.credits ?? (await readCreditsPerRenewal(services.db, store.id)),
      until: until?.toISOString() ?? null,
      refunded: Number(held.refunded_minor) > 0 ? toPrice(Number(held.refunded_minor), held.paid_in) : null,
      resumable: isResumable(held, services.payment, shopNow()) ?? null,
      changeable: isChangeable(held, services.payment.provider),
      next: status === 'active' ? await readNextPlan(services.db, held, spoken) : null,
    },
  };
}

/** The plan that follows, if the plan is going to change. */
async function readNextPlan(db: Database, held: Subscription, spoken: StoreLanguage) {
  const [change] = (await readOpenChanges(db, held)).filter((each) => each.status === 'pending' || each.plan_id !== held.plan_id);
  if (!change || change.plan_id === held.plan_id) return null;
  const plan = await db
    .selectFrom('plans')
    .select(['name', 'translations'])
    .where('store_id', '=', held.store_id)
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
 * @throws DomainError not_found where there never was one
 */
export async function cancelSubscription(call: CustomerCall<'cancelSubscription'>): Answer<'cancelSubscription'> {
  const { services, store, customer, request } = call;
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  if (!(await cancelAtEnd(services.db, owner))) throw notFound('subscription');
  return okResult();
}

/**
 * Reactivates the customer's cancelled subscription. It takes effect here at once; if the gateway
 * does not answer, the sweep notifies it later.
 * @throws DomainError not_found where there never was one; conflict subscription_over,
 * not_resumable
 */
export async function resumeSubscription(call: CustomerCall<'resumeSubscription'>): Answer<'resumeSubscription'> {
  const { services, store, customer, request } = call;
  const row = await beginResuming(services, { storeId: store.id, userId: customer.id, address: request.ip });
  if (!row) throw notFound('subscription');
  if (!row.cancel_told) return okResult();
  try {
    const { state, cancelled } = await notifyResumed(services, row);
    if (state === 'ended') throw subscriptionOverError();
    if (cancelled) throw notResumableError();
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.warn({ err: error.cause, subscription: row.id, willRetry: true }, 'payment.subscription_resume.timeout');
  }
  return okResult();
}

/**
 * The gateway's page on which the customer replaces the card of an active subscription; or changes
 * the plan.
 * @throws DomainError not_found where no subscription can renew, payment_unknown where the gateway
 * does not answer
 */
export async function customerPortal(call: CustomerCall<'customerPortal'>): Answer<'customerPortal'> {
  const { services, store, spoken, customer, request, query } = call;
  if (query.upgradeplan !== undefined) return startPlanChange(call, query.upgradeplan);
  const subscriber = { storeId: store.id, userId: customer.id, address: request.ip };
  const held = await runningSubscription(services.db, subscriber);
  if (!held || held.cancelled_at !== null || held.provider_id === null || held.provider !== services.payment.provider)
    throw notFound('subscription');
  try {
    const url = await services.payment.startSetup({
      customer: toGatewayCustomer(subscriber),
      subscription: held.provider_id,
      shopName: await readShopName(services.db, store.id, spoken),
      returnUrl: getStoreOrigin(store, request, services.config) + cardReturnPath,
      language: request.headers['accept-language']?.slice(0, 100) || '*',
    });
    return { url };
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.warn({ err: error.cause }, 'payment.customer_portal.timeout');
    throw new DomainError('payment_unknown', 'The page can’t be opened right now.', { code: 'payment_unavailable' });
  }
}
