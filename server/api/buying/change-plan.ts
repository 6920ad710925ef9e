import { subscribedPath } from '../../../machines/model/paths.ts';
import { currencySymbol, toMajor } from '../../base/money.ts';
import { originOf } from '../../stores/origin.ts';
import { notChanged, PaymentUnknown } from '../../payment/port.ts';
import {
  applyChange,
  beginChange,
  type ChangeQuote,
  isChangeable,
  openChanges,
  quoteChange,
  termsOf,
} from '../../subscriptions/change-plan.ts';
import { runningSubscription, type Subscription } from '../../entitlements/held.ts';
import { type Plan, planOnOffer } from '../../subscriptions/open.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

type ChangeCall = Pick<CustomerCall, 'services' | 'store' | 'spoken' | 'customer'>;

/** For how long a quote is good, in milliseconds. */
const GOOD_FOR = 60 * 60_000;

const unavailable = () =>
  new DomainError('payment_unknown', 'The plan can’t be changed right now.', { code: 'payment_unavailable' });

/**
 * The customer's subscription and its plan, and the one that is wanted. @throws DomainError
 * not_found; conflict plan_unchanged
 */
async function wanted({ services, store, customer }: ChangeCall, planId: string) {
  const { db, payment } = services;
  const held = await runningSubscription(db, { storeId: store.id, userId: customer.id });
  if (!held) throw notFound('subscription');
  const own = await db
    .selectFrom('plans')
    .selectAll()
    .where('store_id', '=', store.id)
    .where('id', '=', held.plan_id)
    .executeTakeFirstOrThrow();
  const isOwn = planId === held.plan_id;
  // Their own may be one that is not sold any more, at a price of before.
  const plan = isOwn ? { ...own, ...termsOf(held, own) } : await planOnOffer(db, store.id, planId);
  const waits = isOwn && (await openChanges(db, held)).length > 0;
  const isSame = plan.currency === termsOf(held, own).currency && plan.amount_minor > 0;
  if (!isChangeable(held, payment.provider) || !isSame || (isOwn && !waits)) throw notChanged();
  return { held, own, plan };
}

type Wanted = { held: Subscription; own: Plan; plan: Plan };

/** @throws DomainError payment_unknown where the gateway does not answer */
async function quoted({ services, spoken }: ChangeCall, { held, own, plan }: Wanted, at: Date): Promise<ChangeQuote> {
  try {
    return await quoteChange(services, held, own, plan, { at, language: spoken.language });
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause, subscription: held.id }, 'the gateway does not quote another plan');
    throw unavailable();
  }
}

/** To the second, which is what gateways count in. */
const thisSecond = (): Date => new Date(Math.floor(shopNow().getTime() / 1000) * 1000);

/** What another plan would cost, and when it would begin. */
export async function quotePlanChange(call: CustomerCall<'quotePlanChange'>): Answer<'quotePlanChange'> {
  const all = await wanted(call, call.query.planId);
  const at = thisSecond();
  const { starts, dueMinor } = await quoted(call, all, at);
  const { plan, held } = all;
  return {
    planId: plan.id,
    starts,
    due: { amount: toMajor(dueMinor, plan.currency), currency: plan.currency, symbol: currencySymbol(plan.currency) },
    at: (starts === 'now' ? at : held.renews_at)?.toISOString() ?? null,
    quotedAt: at.toISOString(),
  };
}

/**
 * The moment that a quote was made for. @throws DomainError conflict price_changed where it is too
 * old, or not yet
 */
function momentOf(quotedAt: string | undefined): Date {
  if (quotedAt === undefined) return thisSecond();
  const [at, now] = [new Date(quotedAt), shopNow().getTime()];
  if (!(at.getTime() <= now && now - at.getTime() <= GOOD_FOR)) throw priceChanged();
  return at;
}

const priceChanged = () => new DomainError('conflict', 'The price has changed.', { code: 'price_changed' });

/**
 * Gives the customer's subscription another plan. A wish that is open already is carried on, whatever was quoted since.
 * @returns where the customer goes on
 */
export async function changeTo(call: CustomerCall<'customerPortal'>, planId: string): Answer<'customerPortal'> {
  const { services, store, request, query, customer } = call;
  const url = originOf(store, request, services.config) + subscribedPath;
  const running = await runningSubscription(services.db, { storeId: store.id, userId: customer.id });
  const [open] = running ? (await openChanges(services.db, running)).filter(({ status }) => status === 'pending') : [];
  // What was asked for before may have been done, and its answer lost.
  if (running && !open && running.plan_id === planId && (await openChanges(services.db, running)).length === 0) return { url };
  let change = open?.plan_id === planId ? open : undefined;
  if (!change) {
    const all = await wanted(call, planId);
    const at = momentOf(query.quotedAt);
    const { starts, dueMinor } = await quoted(call, all, at);
    if (query.due !== undefined && query.due !== toMajor(dueMinor, all.plan.currency)) throw priceChanged();
    change = await beginChange(services.db, all.held, all.plan, { starts, at });
  }
  if (!change) return { url };
  try {
    await applyChange(services, change);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause, change: change.id }, 'the gateway does not say whether it has changed a plan');
    throw new DomainError('payment_unknown', 'The payment gateway did not say whether it has changed the plan.', {
      code: 'payment_unknown',
    });
  }
  return { url };
}
