import { currencySymbol, toMajor } from '../../base/money.ts';
import type { Database } from '../../database/open.ts';
import { type Spoken, textIn } from '../../base/language.ts';
import { cardReturnPath } from '../../../machines/model/paths.ts';
import { shopName } from '../../catalogue/shop-name.ts';
import { originOf } from '../../stores/origin.ts';
import { gatewayCustomer } from '../../payment/cards.ts';
import { notResumed, PaymentUnknown } from '../../payment/port.ts';
import { followSubscription, tellResumed } from '../../subscriptions/renew.ts';
import { beginResuming, isOver, isResumable } from '../../subscriptions/resume.ts';
import { cancelAtEnd } from '../../subscriptions/cancel.ts';
import { isChangeable, openChanges } from '../../subscriptions/change-plan.ts';
import {
  creditsPerRenewal,
  isRunning,
  lastSubscription,
  runningSubscription,
  type Subscription,
} from '../../entitlements/held.ts';
import type { Services } from '../../services.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { changeTo } from './change-plan.ts';
import { done } from '../calls/done.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

const priceOf = (minor: number, currency: string) => ({
  amount: toMajor(minor, currency),
  currency,
  symbol: currencySymbol(currency),
});

/** Where a subscription stands for its customer, and until when. */
function standing(row: Subscription, now: Date): { status: 'active' | 'pastDue' | 'cancelled' | 'ended'; until: Date | null } {
  if (!isRunning(row, now)) return { status: 'ended', until: row.ended_at ?? row.renews_at };
  if (row.cancelled_at !== null) return { status: 'cancelled', until: row.renews_at };
  return { status: row.status === 'past_due' ? 'pastDue' : 'active', until: row.renews_at };
}

/** Hears of one that is past due: its customer may have given the gateway another card just now. */
async function catchUp({ db, payment, log }: Services, held: Subscription | undefined): Promise<void> {
  if (held?.status !== 'past_due' || held.provider_id === null || held.provider !== payment.provider) return;
  try {
    const told = await payment.readSubscription(held.provider_id);
    if (told) await followSubscription(db, held, told);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    // The sweep asks again.
    log.error({ err: error.cause, subscription: held.id }, 'the gateway says nothing of a subscription');
  }
}

/** The subscription that the customer has, or had last. */
export async function ownSubscription({
  services,
  store,
  spoken,
  customer,
}: CustomerCall<'ownSubscription'>): Answer<'ownSubscription'> {
  const subscriber = { storeId: store.id, userId: customer.id };
  await catchUp(services, await runningSubscription(services.db, subscriber));
  const held = await lastSubscription(services.db, subscriber);
  if (!held) return { subscription: null };
  const { status, until } = standing(held, shopNow());
  return {
    subscription: {
      planId: held.plan_id,
      name: textIn(held, 'name', spoken),
      status,
      price: priceOf(held.price, held.paid_in),
      interval: held.paid_each,
      credits: held.credits ?? (await creditsPerRenewal(services.db, store.id)),
      until: until?.toISOString() ?? null,
      refunded: Number(held.refunded_minor) > 0 ? priceOf(Number(held.refunded_minor), held.paid_in) : null,
      resumable: isResumable(held, services.payment, shopNow()) ?? null,
      changeable: isChangeable(held, services.payment.provider),
      next: status === 'active' ? await nextPlan(services.db, held, spoken) : null,
    },
  };
}

/** The plan that follows, where one does. */
async function nextPlan(db: Database, held: Subscription, spoken: Spoken) {
  const [change] = (await openChanges(db, held)).filter((each) => each.status === 'pending' || each.plan_id !== held.plan_id);
  if (!change || change.plan_id === held.plan_id) return null;
  const plan = await db
    .selectFrom('plans')
    .select(['name', 'translations'])
    .where('store_id', '=', held.store_id)
    .where('id', '=', change.plan_id)
    .executeTakeFirstOrThrow();
  return {
    planId: change.plan_id,
    name: textIn(plan, 'name', spoken),
    price: priceOf(change.amount_minor, change.currency),
    interval: change.period,
    changing: change.status === 'pending',
  };
}

/**
 * Cancels the customer's subscription at the end of what is paid for. @throws DomainError not_found
 * where there never was one
 */
export async function cancelSubscription(call: CustomerCall<'cancelSubscription'>): Answer<'cancelSubscription'> {
  const { services, store, customer, request } = call;
  const owner = { storeId: store.id, userId: customer.id, address: request.ip };
  if (!(await cancelAtEnd(services.db, owner))) throw notFound('subscription');
  return done();
}

/**
 * Takes the customer's cancelled subscription up again. It is so here at once; where the gateway says nothing the sweep tells it.
 * @throws DomainError not_found where there never was one; conflict subscription_over,
 * not_resumable
 */
export async function resumeSubscription(call: CustomerCall<'resumeSubscription'>): Answer<'resumeSubscription'> {
  const { services, store, customer, request } = call;
  const row = await beginResuming(services, { storeId: store.id, userId: customer.id, address: request.ip });
  if (!row) throw notFound('subscription');
  if (!row.cancel_told) return done();
  try {
    const { state, cancelled } = await tellResumed(services, row);
    if (state === 'ended') throw isOver();
    if (cancelled) throw notResumed();
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause, subscription: row.id }, 'the gateway does not say whether a subscription goes on');
  }
  return done();
}

/**
 * The gateway's page on which the customer gives a running subscription another card; or changes the plan.
 * @throws DomainError not_found where none runs that could be renewed, payment_unknown where the
 * gateway does not answer
 */
export async function customerPortal(call: CustomerCall<'customerPortal'>): Answer<'customerPortal'> {
  const { services, store, spoken, customer, request, query } = call;
  if (query.upgradeplan !== undefined) return changeTo(call, query.upgradeplan);
  const subscriber = { storeId: store.id, userId: customer.id, address: request.ip };
  const held = await runningSubscription(services.db, subscriber);
  if (!held || held.cancelled_at !== null || held.provider_id === null || held.provider !== services.payment.provider)
    throw notFound('subscription');
  try {
    const url = await services.payment.startSetup({
      customer: gatewayCustomer(subscriber),
      subscription: held.provider_id,
      shopName: await shopName(services.db, store.id, spoken),
      returnUrl: originOf(store, request, services.config) + cardReturnPath,
      language: request.headers['accept-language']?.slice(0, 100) || '*',
    });
    return { url };
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause }, 'the portal has no answer of the payment gateway');
    throw new DomainError('payment_unknown', 'The page can’t be opened right now.', { code: 'payment_unavailable' });
  }
}
