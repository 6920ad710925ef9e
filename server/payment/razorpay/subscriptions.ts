import { createHash } from 'node:crypto';
import type Razorpay from 'razorpay';
import type { Subscriptions } from 'razorpay/dist/types/subscriptions.js';
import type { GatewayNames } from '../gateway-names.ts';
import {
  type ChangedSubscription,
  type Intent,
  type IntentRequest,
  refundRefusedError,
  notChangeableError,
  notResumableError,
  type PaymentPort,
  type PlanChange,
  type RemoteSubscription,
  type SubscriptionRefunds,
  type Terms,
} from '../port.ts';
import { fromRazorpayAmount, toRazorpayAmount } from './amounts.ts';
import { callRazorpay, retrieveOrUndefined, type RazorpayError } from './calls.ts';
import { toNotes, readNotes } from './notes.ts';
import { withoutCards } from '../without-cards.ts';

export type RazorpayContext = { razorpay: Razorpay; names: GatewayNames; now: () => number };

type Subscription = Subscriptions.RazorpaySubscription;

const DAY_S = 24 * 60 * 60;
/** Seconds that a subscription stays usable after a failed payment, while Razorpay retries it. */
const GRACE_S = 7 * DAY_S;

/** Razorpay's periods. It requires a number of payments: they last for 10 years here. */
const PERIODS = {
  week: { period: 'weekly', interval: 1, total_count: 520 },
  month: { period: 'monthly', interval: 1, total_count: 120 },
  quarter: { period: 'monthly', interval: 3, total_count: 40 },
  year: { period: 'yearly', interval: 1, total_count: 10 },
} as const;

/**
 * Returns the id of Razorpay's plan for these terms. Plans cannot be deleted, so each is created
 * once and reused.
 */
async function getOrCreatePlan(
  { razorpay, names }: RazorpayContext,
  request: Pick<IntentRequest, 'reference' | 'currency' | 'description'>,
  terms: Terms,
): Promise<string> {
  const { reference, currency, description } = request;
  const amount = toRazorpayAmount(terms.amountMinor, currency);
  const { period, interval } = PERIODS[terms.period];
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([amount, currency, period, interval, description]))
    .digest('hex');
  const name = `${reference.slice(0, reference.indexOf('/'))}/${fingerprint}`;
  const storedId = await names.find('plan', name);
  if (storedId !== undefined) return storedId;
  const item = { name: description, amount, currency };
  const plan = await callRazorpay(() => razorpay.plans.create({ period, interval, item }));
  return names.storeOnce('plan', name, plan.id);
}

const toMilliseconds = (seconds: number | null | undefined): number => (seconds ?? 0) * 1000;

/** Converts Razorpay's subscription to the port's type. */
function toRemoteSubscription({ now }: RazorpayContext, subscription: Subscription): RemoteSubscription {
  const {
    id,
    status,
    paid_count: paidCount,
    current_start: currentStart,
    current_end: currentEnd,
    start_at: startAt,
    ended_at: endedAt,
  } = subscription;
  const hasTrial = (readNotes(subscription.notes)?.trialDays ?? 0) > 0;
  const baseFields = { id, renewals: Math.max(0, hasTrial ? paidCount : paidCount - 1), cancelled: status === 'cancelled' };
  switch (status) {
    case 'active':
      return { ...baseFields, state: 'active', until: toMilliseconds(currentEnd) };
    case 'pending':
      return { ...baseFields, state: 'past_due', until: toMilliseconds((currentStart ?? startAt) + GRACE_S) };
    case 'cancelled':
      // Razorpay ends a cancelled trial immediately; in the shop it is active until the trial's
      // end.
      if (hasTrial && paidCount === 0 && now() < toMilliseconds(startAt))
        return { ...baseFields, state: 'active', until: toMilliseconds(startAt) };
      return { ...baseFields, state: 'ended', until: toMilliseconds(endedAt) };
    case 'completed':
    case 'expired':
    case 'halted':
      return { ...baseFields, state: 'ended', until: toMilliseconds(endedAt ?? currentEnd) };
    case 'created':
    case 'authenticated':
      return { ...baseFields, state: 'active', until: toMilliseconds(startAt) };
  }
}

/**
 * Converts a subscription to the intent of its first payment. Razorpay charges the payment as soon
 * as the customer agrees on its page: no money is reserved first.
 */
export function toFirstPayment(context: RazorpayContext, subscription: Subscription): Pick<Intent, 'state' | 'subscription'> {
  const { status, paid_count: paidCount } = subscription;
  const notes = readNotes(subscription.notes);
  const startedPayment = { state: 'captured', subscription: toRemoteSubscription(context, subscription) } as const;
  if (status === 'created') return { state: 'open' };
  if (status === 'authenticated') return notes && notes.trialDays > 0 ? startedPayment : { state: 'action_required' };
  if (status === 'expired' || (status === 'cancelled' && paidCount === 0)) return { state: 'cancelled' };
  return startedPayment;
}

export const fetchSubscription = ({ razorpay }: RazorpayContext, id: string): Promise<Subscription | undefined> =>
  retrieveOrUndefined(() => razorpay.subscriptions.fetch(id));

/** Creates the subscription; its page expires after a day. @returns its id */
export async function createSubscription(context: RazorpayContext, request: IntentRequest, terms: Terms): Promise<string> {
  const plan = await getOrCreatePlan(context, request, terms);
  const now = Math.floor(context.now() / 1000);
  const createdSubscription = await callRazorpay(() =>
    context.razorpay.subscriptions.create({
      plan_id: plan,
      total_count: PERIODS[terms.period].total_count,
      quantity: 1,
      customer_notify: false,
      expire_by: now + DAY_S,
      ...(terms.trialDays > 0 ? { start_at: now + terms.trialDays * DAY_S } : {}),
      notes: toNotes(request, terms),
    }),
  );
  return createdSubscription.id;
}

/** Ends a subscription immediately; if Razorpay refuses, it stays unchanged. */
export const endSubscription = ({ razorpay }: RazorpayContext, id: string): Promise<unknown> =>
  callRazorpay<unknown>(
    () => razorpay.subscriptions.cancel(id),
    () => razorpay.subscriptions.fetch(id),
  );

/**
 * Reads a subscription, and ends it at Razorpay if Razorpay has stopped charging it (`halted`).
 */
async function readSubscription(context: RazorpayContext, id: string): Promise<RemoteSubscription | undefined> {
  const subscription = await fetchSubscription(context, id);
  if (subscription?.status === 'halted') await endSubscription(context, id);
  return subscription && toRemoteSubscription(context, subscription);
}

/** Refunds renewals charged after the customer's cancellation. @returns their number */
async function refundLateRenewals({ razorpay }: RazorpayContext, id: string, cancelledAt: number): Promise<number> {
  const invoices = await callRazorpay(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const lateInvoices = invoices.items.filter(
    ({ status, paid_at: paidAt }) => status === 'paid' && toMilliseconds(paidAt) > cancelledAt,
  );
  for (const { payment_id: payment } of lateInvoices) {
    if (!payment) continue;
    const { status } = await callRazorpay(() => razorpay.payments.fetch(payment));
    if (status !== 'refunded') await callRazorpay(() => razorpay.payments.refund(payment, { speed: 'normal' }));
  }
  return lateInvoices.length;
}

/**
 * Reads the payments of a subscription's latest 100 invoices, the latest first; each contains its
 * refunded amount.
 */
async function readPayments({ razorpay }: RazorpayContext, id: string) {
  const invoices = await callRazorpay(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const paidInvoices = invoices.items
    .filter(({ status }) => status === 'paid')
    .toSorted((a, b) => Number(b.paid_at ?? 0) - Number(a.paid_at ?? 0));
  const payments = [];
  for (const { payment_id: payment } of paidInvoices)
    if (payment) payments.push(await callRazorpay(() => razorpay.payments.fetch(payment)));
  return payments;
}

async function readRefunds(context: RazorpayContext, id: string): Promise<SubscriptionRefunds> {
  const payments = await readPayments(context, id);
  const totalMinor = payments.reduce(
    (sum, { amount_refunded: refundedAmount, currency }) => sum + fromRazorpayAmount(refundedAmount ?? 0, currency),
    0,
  );
  return { totalMinor, isLastWhole: payments[0]?.status === 'refunded' };
}

async function refundLastPayment(context: RazorpayContext, id: string): Promise<SubscriptionRefunds> {
  const { razorpay } = context;
  const [lastPayment] = await readPayments(context, id);
  if (lastPayment?.status === 'captured')
    await callRazorpay<unknown>(
      () => razorpay.payments.refund(lastPayment.id, { speed: 'normal' }),
      async ({ error }) => {
        // The payment may have been refunded elsewhere in the meantime.
        const { status } = await callRazorpay(() => razorpay.payments.fetch(lastPayment.id));
        if (status !== 'refunded') throw refundRefusedError(error?.description ?? 'Razorpay refused the refund.');
      },
    );
  return readRefunds(context, id);
}

async function cancelSubscription(
  context: RazorpayContext,
  id: string,
  { at, atOnce }: { at: number; atOnce: boolean },
): Promise<RemoteSubscription | undefined> {
  const { razorpay } = context;
  const subscription = await fetchSubscription(context, id);
  if (!subscription) return undefined;
  const { status } = subscription;
  const isOver = status === 'cancelled' || status === 'completed' || status === 'expired';
  const refundedRenewals = isOver ? 0 : await refundLateRenewals(context, id, at);
  // After the first payment, wait for the period's end; before it there is no period to wait for.
  const endsWithPeriod = !atOnce && refundedRenewals === 0 && (status === 'active' || status === 'pending');
  if (endsWithPeriod)
    await callRazorpay<unknown>(
      () => razorpay.subscriptions.cancel(id, true),
      () => razorpay.subscriptions.fetch(id),
    );
  else if (!isOver) await endSubscription(context, id);
  const remote = await readSubscription(context, id);
  return remote && { ...remote, renewals: Math.max(0, remote.renewals - refundedRenewals), cancelled: true };
}

/**
 * Changes the plan; idempotent. Razorpay gives no quote for an immediate change, so only changes
 * with the next renewal are accepted.
 * @throws DomainError conflict plan_unchanged or not_for_sale; PaymentUnknown
 */
async function changePlan(context: RazorpayContext, id: string, change: PlanChange): Promise<ChangedSubscription | undefined> {
  const { razorpay } = context;
  const subscription = await fetchSubscription(context, id);
  if (!subscription) return undefined;
  const { status, has_scheduled_changes: hasPendingChange, plan_id: currentPlan } = subscription;
  if ((status !== 'active' && status !== 'authenticated') || change.starts === 'now') throw notChangeableError();
  const plan = await getOrCreatePlan(context, change, change.terms);
  const rejectChange = ({ error }: RazorpayError) => Promise.reject(notChangeableError(error?.description));
  // Razorpay allows one pending change.
  if (hasPendingChange)
    await callRazorpay<unknown>(
      () => razorpay.subscriptions.cancelScheduledChanges(id),
      () => razorpay.subscriptions.fetch(id),
    );
  if (plan !== currentPlan)
    await callRazorpay<unknown>(
      () =>
        razorpay.subscriptions.update(id, {
          plan_id: plan,
          remaining_count: PERIODS[change.terms.period].total_count,
          schedule_change_at: 'cycle_end',
          customer_notify: false,
        }),
      rejectChange,
    );
  const currentSubscription = await readSubscription(context, id);
  // If the plan is already active, it started with the last renewal.
  const renewalsBefore = currentSubscription
    ? Math.max(0, plan === currentPlan && !hasPendingChange ? currentSubscription.renewals - 1 : currentSubscription.renewals)
    : 0;
  return currentSubscription && { ...currentSubscription, chargedMinor: 0, renewalsBefore };
}

export const createSubscriptionCalls = (
  context: RazorpayContext,
): Pick<
  PaymentPort,
  | 'readSubscription'
  | 'cancelSubscription'
  | 'resumeSubscription'
  | 'readRefunds'
  | 'refundLastPayment'
  | 'quoteChange'
  | 'changePlan'
  | 'startSetup'
  | 'claimSetup'
  | 'forgetCard'
> => ({
  readRefunds: (id) => readRefunds(context, id),
  refundLastPayment: (id) => refundLastPayment(context, id),
  quoteChange: async () => undefined,
  changePlan: (id, change) => changePlan(context, id, change),
  readSubscription: (id) => readSubscription(context, id),
  // Razorpay resumes paused subscriptions, but not cancelled ones, even before their period ends.
  resumeSubscription: () => Promise.reject(notResumableError()),
  cancelSubscription: (id, ending) => cancelSubscription(context, id, ending),
  // No cards are saved: Razorpay charges a saved card only with a mandate for each payment.
  ...withoutCards,
  startSetup: async (request) =>
    request.subscription === undefined
      ? withoutCards.startSetup(request)
      : `${new URL(request.returnUrl).origin}/payments/razorpay/${request.subscription}?card=1`,
});
