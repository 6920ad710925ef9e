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

export type RazorpayParts = { razorpay: Razorpay; names: GatewayNames; now: () => number };

type Subscription = Subscriptions.RazorpaySubscription;

const DAY_S = 24 * 60 * 60;
/** Seconds that a subscription stays usable after a failed payment, while Razorpay retries it. */
const GRACE_S = 7 * DAY_S;

/** Razorpay requires an end of a subscription: 10 years here. */
const PERIODS = {
  week: { period: 'weekly', interval: 1, total_count: 520 },
  month: { period: 'monthly', interval: 1, total_count: 120 },
  quarter: { period: 'monthly', interval: 3, total_count: 40 },
  year: { period: 'yearly', interval: 1, total_count: 10 },
} as const;

/** Razorpay's plan for these terms. Plans cannot be deleted, so each is created once and reused. */
async function getOrCreatePlan(
  { razorpay, names }: RazorpayParts,
  request: Pick<IntentRequest, 'reference' | 'currency' | 'description'>,
  terms: Terms,
): Promise<string> {
  const { reference, currency, description } = request;
  const amount = toRazorpayAmount(terms.amountMinor, currency);
  const { period, interval } = PERIODS[terms.period];
  const print = createHash('sha256')
    .update(JSON.stringify([amount, currency, period, interval, description]))
    .digest('hex');
  const name = `${reference.slice(0, reference.indexOf('/'))}/${print}`;
  const known = await names.find('plan', name);
  if (known !== undefined) return known;
  const item = { name: description, amount, currency };
  const plan = await callRazorpay(() => razorpay.plans.create({ period, interval, item }));
  return names.keep('plan', name, plan.id);
}

const inMilliseconds = (seconds: number | null | undefined): number => (seconds ?? 0) * 1000;

/** Converts Razorpay's subscription to the port's type. */
function toRemoteSubscription({ now }: RazorpayParts, subscription: Subscription): RemoteSubscription {
  const {
    id,
    status,
    paid_count: paid,
    current_start: start,
    current_end: end,
    start_at: begins,
    ended_at: ended,
  } = subscription;
  const hasTrial = (readNotes(subscription.notes)?.trialDays ?? 0) > 0;
  const base = { id, renewals: Math.max(0, hasTrial ? paid : paid - 1), cancelled: status === 'cancelled' };
  switch (status) {
    case 'active':
      return { ...base, state: 'active', until: inMilliseconds(end) };
    case 'pending':
      return { ...base, state: 'past_due', until: inMilliseconds((start ?? begins) + GRACE_S) };
    case 'cancelled':
      // Razorpay ends a cancelled trial immediately; the shop keeps it until the trial's end.
      if (hasTrial && paid === 0 && now() < inMilliseconds(begins))
        return { ...base, state: 'active', until: inMilliseconds(begins) };
      return { ...base, state: 'ended', until: inMilliseconds(ended) };
    case 'completed':
    case 'expired':
    case 'halted':
      return { ...base, state: 'ended', until: inMilliseconds(ended ?? end) };
    case 'created':
    case 'authenticated':
      return { ...base, state: 'active', until: inMilliseconds(begins) };
  }
}

/**
 * The intent of the subscription's first payment. Razorpay charges it as soon as the customer
 * agrees on its page: no money is reserved first.
 */
export function toFirstPayment(parts: RazorpayParts, subscription: Subscription): Pick<Intent, 'state' | 'subscription'> {
  const { status, paid_count: paid } = subscription;
  const noted = readNotes(subscription.notes);
  const begun = { state: 'captured', subscription: toRemoteSubscription(parts, subscription) } as const;
  if (status === 'created') return { state: 'open' };
  if (status === 'authenticated') return noted && noted.trialDays > 0 ? begun : { state: 'action_required' };
  if (status === 'expired' || (status === 'cancelled' && paid === 0)) return { state: 'cancelled' };
  return begun;
}

export const fetchSubscription = ({ razorpay }: RazorpayParts, id: string): Promise<Subscription | undefined> =>
  retrieveOrUndefined(() => razorpay.subscriptions.fetch(id));

/** Creates the subscription; its page expires after a day. @returns its id */
export async function createSubscription(parts: RazorpayParts, request: IntentRequest, terms: Terms): Promise<string> {
  const plan = await getOrCreatePlan(parts, request, terms);
  const now = Math.floor(parts.now() / 1000);
  const made = await callRazorpay(() =>
    parts.razorpay.subscriptions.create({
      plan_id: plan,
      total_count: PERIODS[terms.period].total_count,
      quantity: 1,
      customer_notify: false,
      expire_by: now + DAY_S,
      ...(terms.trialDays > 0 ? { start_at: now + terms.trialDays * DAY_S } : {}),
      notes: toNotes(request, terms),
    }),
  );
  return made.id;
}

/** Ends a subscription immediately; one that cannot be cancelled any more stays unchanged. */
export const endSubscription = ({ razorpay }: RazorpayParts, id: string): Promise<unknown> =>
  callRazorpay<unknown>(
    () => razorpay.subscriptions.cancel(id),
    () => razorpay.subscriptions.fetch(id),
  );

/**
 * Reads a subscription. One that Razorpay has stopped charging (`halted`) is ended there as well.
 */
async function readSubscription(parts: RazorpayParts, id: string): Promise<RemoteSubscription | undefined> {
  const subscription = await fetchSubscription(parts, id);
  if (subscription?.status === 'halted') await endSubscription(parts, id);
  return subscription && toRemoteSubscription(parts, subscription);
}

/** Refunds renewals that were charged after the customer's cancellation. @returns how many */
async function refundLateRenewals({ razorpay }: RazorpayParts, id: string, at: number): Promise<number> {
  const invoices = await callRazorpay(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const late = invoices.items.filter(({ status, paid_at: paidAt }) => status === 'paid' && inMilliseconds(paidAt) > at);
  for (const { payment_id: payment } of late) {
    if (!payment) continue;
    const { status } = await callRazorpay(() => razorpay.payments.fetch(payment));
    if (status !== 'refunded') await callRazorpay(() => razorpay.payments.refund(payment, { speed: 'normal' }));
  }
  return late.length;
}

/** The payments of a subscription with their refunds, the latest first. */
async function readPayments({ razorpay }: RazorpayParts, id: string) {
  const invoices = await callRazorpay(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const paid = invoices.items
    .filter(({ status }) => status === 'paid')
    .toSorted((a, b) => Number(b.paid_at ?? 0) - Number(a.paid_at ?? 0));
  const payments = [];
  for (const { payment_id: payment } of paid)
    if (payment) payments.push(await callRazorpay(() => razorpay.payments.fetch(payment)));
  return payments;
}

async function readRefunds(parts: RazorpayParts, id: string): Promise<SubscriptionRefunds> {
  const payments = await readPayments(parts, id);
  const totalMinor = payments.reduce(
    (sum, { amount_refunded: back, currency }) => sum + fromRazorpayAmount(back ?? 0, currency),
    0,
  );
  return { totalMinor, isLastWhole: payments[0]?.status === 'refunded' };
}

async function refundSubscription(parts: RazorpayParts, id: string): Promise<SubscriptionRefunds> {
  const { razorpay } = parts;
  const [last] = await readPayments(parts, id);
  if (last?.status === 'captured')
    await callRazorpay<unknown>(
      () => razorpay.payments.refund(last.id, { speed: 'normal' }),
      async ({ error }) => {
        // It may have been refunded elsewhere in the meantime.
        const { status } = await callRazorpay(() => razorpay.payments.fetch(last.id));
        if (status !== 'refunded') throw refundRefusedError(error?.description ?? 'Razorpay refused the refund.');
      },
    );
  return readRefunds(parts, id);
}

async function cancelSubscription(
  parts: RazorpayParts,
  id: string,
  { at, atOnce }: { at: number; atOnce: boolean },
): Promise<RemoteSubscription | undefined> {
  const { razorpay } = parts;
  const subscription = await fetchSubscription(parts, id);
  if (!subscription) return undefined;
  const { status } = subscription;
  const isOver = status === 'cancelled' || status === 'completed' || status === 'expired';
  const given = isOver ? 0 : await refundLateRenewals(parts, id, at);
  // After the first payment, wait for the period's end; before it there is no period to wait for.
  const waits = !atOnce && given === 0 && (status === 'active' || status === 'pending');
  if (waits)
    await callRazorpay<unknown>(
      () => razorpay.subscriptions.cancel(id, true),
      () => razorpay.subscriptions.fetch(id),
    );
  else if (!isOver) await endSubscription(parts, id);
  const after = await readSubscription(parts, id);
  return after && { ...after, renewals: Math.max(0, after.renewals - given), cancelled: true };
}

/**
 * Razorpay gives no quote for an immediate change, so every change starts with the next renewal.
 * Idempotent.
 */
async function changePlan(parts: RazorpayParts, id: string, change: PlanChange): Promise<ChangedSubscription | undefined> {
  const { razorpay } = parts;
  const subscription = await fetchSubscription(parts, id);
  if (!subscription) return undefined;
  const { status, has_scheduled_changes: waits, plan_id: runs } = subscription;
  if ((status !== 'active' && status !== 'authenticated') || change.starts === 'now') throw notChangeableError();
  const plan = await getOrCreatePlan(parts, change, change.terms);
  const no = ({ error }: RazorpayError) => Promise.reject(notChangeableError(error?.description));
  // Razorpay allows one pending change.
  if (waits)
    await callRazorpay<unknown>(
      () => razorpay.subscriptions.cancelScheduledChanges(id),
      () => razorpay.subscriptions.fetch(id),
    );
  if (plan !== runs)
    await callRazorpay<unknown>(
      () =>
        razorpay.subscriptions.update(id, {
          plan_id: plan,
          remaining_count: PERIODS[change.terms.period].total_count,
          schedule_change_at: 'cycle_end',
          customer_notify: false,
        }),
      no,
    );
  const now = await readSubscription(parts, id);
  // A plan that is already active started with the last renewal.
  const renewalsBefore = now ? Math.max(0, plan === runs && !waits ? now.renewals - 1 : now.renewals) : 0;
  return now && { ...now, chargedMinor: 0, renewalsBefore };
}

export const razorpaySubscriptions = (
  parts: RazorpayParts,
): Pick<
  PaymentPort,
  | 'readSubscription'
  | 'cancelSubscription'
  | 'resumeSubscription'
  | 'readRefunds'
  | 'refundSubscription'
  | 'quoteChange'
  | 'changePlan'
  | 'startSetup'
  | 'claimSetup'
  | 'forgetCard'
> => ({
  readRefunds: (id) => readRefunds(parts, id),
  refundSubscription: (id) => refundSubscription(parts, id),
  quoteChange: async () => undefined,
  changePlan: (id, change) => changePlan(parts, id, change),
  readSubscription: (id) => readSubscription(parts, id),
  // Razorpay resumes paused subscriptions, but no cancelled ones, not even before their period
  // ends.
  resumeSubscription: () => Promise.reject(notResumableError()),
  cancelSubscription: (id, ending) => cancelSubscription(parts, id, ending),
  // Razorpay charges a saved card only with a mandate for each payment, so no cards are saved.
  ...withoutCards,
  startSetup: async (request) =>
    request.subscription === undefined
      ? withoutCards.startSetup(request)
      : `${new URL(request.returnUrl).origin}/payments/razorpay/${request.subscription}?card=1`,
});
