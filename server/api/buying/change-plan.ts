import { subscribedPath } from '../../../machines/model/paths.ts';
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
import { runningSubscription, type Subscription } from '../../entitlements/held.ts';
import { type Plan, requireOfferedPlan } from '../../subscriptions/open.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { notFound, DomainError } from '../../kernel/errors.ts';
import { shopNow } from '../../base/clock/time.ts';

type ChangeCall = Pick<CustomerCall, 'services' | 'store' | 'spoken' | 'customer'>;

/** Lifetime of a quote in milliseconds. */
const QUOTE_LIFETIME_MS = 60 * 60_000;

const planChangeUnavailable = () =>
  new DomainError('payment_unknown', 'The plan can’t be changed right now.', { code: 'payment_unavailable' });

/**
 * The customer's subscription, its plan and the requested plan.
 * @throws DomainError not_found; conflict plan_unchanged
 */
async function readPlanChange({ services, store, customer }: ChangeCall, planId: string) {
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
  // The customer's own plan may be withdrawn, at a previous price.
  const plan = isOwn ? { ...own, ...toTerms(held, own) } : await requireOfferedPlan(db, store.id, planId);
  const waits = isOwn && (await readOpenChanges(db, held)).length > 0;
  const isSame = plan.currency === toTerms(held, own).currency && plan.amount_minor > 0;
  if (!isChangeable(held, payment.provider) || !isSame || (isOwn && !waits)) throw notChangeableError();
  return { held, own, plan };
}

type PlanChange = { held: Subscription; own: Plan; plan: Plan };

/** @throws DomainError payment_unknown where the gateway does not answer */
async function quotePlan({ services, spoken }: ChangeCall, { held, own, plan }: PlanChange, at: Date): Promise<ChangeQuote> {
  try {
    return await quoteChange(services, held, own, plan, { at, language: spoken.language });
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.warn({ err: error.cause, subscription: held.id }, 'payment.plan_quote.timeout');
    throw planChangeUnavailable();
  }
}

/** Rounded down to seconds, the resolution of gateways. */
const nowToSecond = (): Date => new Date(Math.floor(shopNow().getTime() / 1000) * 1000);

/** The cost of another plan, and when it would start. */
export async function quotePlanChange(call: CustomerCall<'quotePlanChange'>): Answer<'quotePlanChange'> {
  const all = await readPlanChange(call, call.query.planId);
  const at = nowToSecond();
  const { starts, dueMinor } = await quotePlan(call, all, at);
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
 * The moment of the quote. @throws DomainError conflict price_changed where it is too old, or in
 * the future
 */
function parseQuoteMoment(quotedAt: string | undefined): Date {
  if (quotedAt === undefined) return nowToSecond();
  const [at, now] = [new Date(quotedAt), shopNow().getTime()];
  if (!(at.getTime() <= now && now - at.getTime() <= QUOTE_LIFETIME_MS)) throw priceChanged();
  return at;
}

const priceChanged = () => new DomainError('conflict', 'The price has changed.', { code: 'price_changed' });

/**
 * Changes the customer's subscription to another plan. A change that is already open is continued,
 * even after a newer quote.
 * @returns the URL to send the customer to
 */
export async function startPlanChange(call: CustomerCall<'customerPortal'>, planId: string): Answer<'customerPortal'> {
  const { services, store, request, query, customer } = call;
  const url = getStoreOrigin(store, request, services.config) + subscribedPath;
  const running = await runningSubscription(services.db, { storeId: store.id, userId: customer.id });
  const [open] = running ? (await readOpenChanges(services.db, running)).filter(({ status }) => status === 'pending') : [];
  // The change may have been made already, and the answer lost.
  if (running && !open && running.plan_id === planId && (await readOpenChanges(services.db, running)).length === 0)
    return { url };
  let change = open?.plan_id === planId ? open : undefined;
  if (!change) {
    const all = await readPlanChange(call, planId);
    const at = parseQuoteMoment(query.quotedAt);
    const { starts, dueMinor } = await quotePlan(call, all, at);
    if (query.due !== undefined && query.due !== toMajor(dueMinor, all.plan.currency)) throw priceChanged();
    change = await beginChange(services.db, all.held, all.plan, { starts, at });
  }
  if (!change) return { url };
  try {
    await applyChange(services, change);
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.warn({ err: error.cause, change: change.id, willRetry: true }, 'payment.plan_change.timeout');
    throw new DomainError('payment_unknown', 'The payment gateway did not answer about the plan change.', {
      code: 'payment_unknown',
    });
  }
  return { url };
}
