import { createHash } from 'node:crypto';
import type Razorpay from 'razorpay';
import type { Subscriptions } from 'razorpay/dist/types/subscriptions.js';
import type { GatewayNames } from '../gateway-names.ts';
import {
  type ChangedSubscription,
  type Intent,
  type IntentRequest,
  noRefund,
  notChanged,
  notResumed,
  type PaymentPort,
  type PlanChange,
  type RunningSubscription,
  type SubscriptionRefunds,
  type Terms,
} from '../port.ts';
import { minorOfRazorpay, razorpayAmount } from './amounts.ts';
import { ask, look, type Refused } from './asking.ts';
import { notesOf, readNotes } from './notes.ts';
import { withoutCards } from '../without-cards.ts';

export type RazorpayParts = { razorpay: Razorpay; names: GatewayNames; now: () => number };

type Subscription = Subscriptions.RazorpaySubscription;

const DAY = 24 * 60 * 60;
/** Seconds for which a subscription whose payment has failed goes on, as Razorpay tries again. */
const GRACE = 7 * DAY;

/** A subscription at Razorpay has an end: after ten years. */
const PERIODS = {
  week: { period: 'weekly', interval: 1, total_count: 520 },
  month: { period: 'monthly', interval: 1, total_count: 120 },
  quarter: { period: 'monthly', interval: 3, total_count: 40 },
  year: { period: 'yearly', interval: 1, total_count: 10 },
} as const;

/** Razorpay's plan for what is agreed; plans stay for ever, so that one is made once. */
async function planOf(
  { razorpay, names }: RazorpayParts,
  request: Pick<IntentRequest, 'reference' | 'currency' | 'description'>,
  terms: Terms,
): Promise<string> {
  const { reference, currency, description } = request;
  const amount = razorpayAmount(terms.amountMinor, currency);
  const { period, interval } = PERIODS[terms.period];
  const print = createHash('sha256')
    .update(JSON.stringify([amount, currency, period, interval, description]))
    .digest('hex');
  const name = `${reference.slice(0, reference.indexOf('/'))}/${print}`;
  const known = await names.find('plan', name);
  if (known !== undefined) return known;
  const item = { name: description, amount, currency };
  const plan = await ask(() => razorpay.plans.create({ period, interval, item }));
  return names.keep('plan', name, plan.id);
}

const inMilliseconds = (seconds: number | null | undefined): number => (seconds ?? 0) * 1000;

/** As the store reads it. */
function told({ now }: RazorpayParts, subscription: Subscription): RunningSubscription {
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
      return { ...base, state: 'past_due', until: inMilliseconds((start ?? begins) + GRACE) };
    case 'cancelled':
      // Days for nothing that are cancelled are over at once there, and go on here.
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

/** The subscription's first payment. Razorpay charges it as soon as the customer agrees on its page: nothing is reserved first. */
export function intentOfSubscription(parts: RazorpayParts, subscription: Subscription): Pick<Intent, 'state' | 'subscription'> {
  const { status, paid_count: paid } = subscription;
  const noted = readNotes(subscription.notes);
  const begun = { state: 'captured', subscription: told(parts, subscription) } as const;
  if (status === 'created') return { state: 'open' };
  if (status === 'authenticated') return noted && noted.trialDays > 0 ? begun : { state: 'action_required' };
  if (status === 'expired' || (status === 'cancelled' && paid === 0)) return { state: 'cancelled' };
  return begun;
}

export const fetchSubscription = ({ razorpay }: RazorpayParts, id: string): Promise<Subscription | undefined> =>
  look(() => razorpay.subscriptions.fetch(id));

/** Makes the subscription that is to be agreed to; its page stays for a day. @returns its id */
export async function makeSubscription(parts: RazorpayParts, request: IntentRequest, terms: Terms): Promise<string> {
  const plan = await planOf(parts, request, terms);
  const now = Math.floor(parts.now() / 1000);
  const made = await ask(() =>
    parts.razorpay.subscriptions.create({
      plan_id: plan,
      total_count: PERIODS[terms.period].total_count,
      quantity: 1,
      customer_notify: false,
      expire_by: now + DAY,
      ...(terms.trialDays > 0 ? { start_at: now + terms.trialDays * DAY } : {}),
      notes: notesOf(request, terms),
    }),
  );
  return made.id;
}

/** Ends it at once; what cannot be cancelled any more is as it is. */
export const endSubscription = ({ razorpay }: RazorpayParts, id: string): Promise<unknown> =>
  ask<unknown>(
    () => razorpay.subscriptions.cancel(id),
    () => razorpay.subscriptions.fetch(id),
  );

/** A subscription as it stands. One that Razorpay does not try to charge any more is ended there as well. */
async function readSubscription(parts: RazorpayParts, id: string): Promise<RunningSubscription | undefined> {
  const subscription = await fetchSubscription(parts, id);
  if (subscription?.status === 'halted') await endSubscription(parts, id);
  return subscription && told(parts, subscription);
}

/** Gives back what was renewed only after the customer had cancelled. @returns how many renewals that were */
async function giveBack({ razorpay }: RazorpayParts, id: string, at: number): Promise<number> {
  const invoices = await ask(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const late = invoices.items.filter(({ status, paid_at: paidAt }) => status === 'paid' && inMilliseconds(paidAt) > at);
  for (const { payment_id: payment } of late) {
    if (!payment) continue;
    const { status } = await ask(() => razorpay.payments.fetch(payment));
    if (status !== 'refunded') await ask(() => razorpay.payments.refund(payment, { speed: 'normal' }));
  }
  return late.length;
}

/** What was paid for a subscription, the last first, with what went back of it. */
async function paymentsOf({ razorpay }: RazorpayParts, id: string) {
  const invoices = await ask(() => razorpay.invoices.all({ subscription_id: id, count: 100 }));
  const paid = invoices.items
    .filter(({ status }) => status === 'paid')
    .toSorted((a, b) => Number(b.paid_at ?? 0) - Number(a.paid_at ?? 0));
  const payments = [];
  for (const { payment_id: payment } of paid) if (payment) payments.push(await ask(() => razorpay.payments.fetch(payment)));
  return payments;
}

async function readRefunds(parts: RazorpayParts, id: string): Promise<SubscriptionRefunds> {
  const payments = await paymentsOf(parts, id);
  const totalMinor = payments.reduce((sum, { amount_refunded: back, currency }) => sum + minorOfRazorpay(back ?? 0, currency), 0);
  return { totalMinor, isLastWhole: payments[0]?.status === 'refunded' };
}

async function refundSubscription(parts: RazorpayParts, id: string): Promise<SubscriptionRefunds> {
  const { razorpay } = parts;
  const [last] = await paymentsOf(parts, id);
  if (last?.status === 'captured')
    await ask<unknown>(
      () => razorpay.payments.refund(last.id, { speed: 'normal' }),
      async ({ error }) => {
        // Somebody else may have, in the meantime.
        const { status } = await ask(() => razorpay.payments.fetch(last.id));
        if (status !== 'refunded') throw noRefund(error?.description ?? 'Razorpay does not give it back.');
      },
    );
  return readRefunds(parts, id);
}

async function cancelSubscription(
  parts: RazorpayParts,
  id: string,
  { at, atOnce }: { at: number; atOnce: boolean },
): Promise<RunningSubscription | undefined> {
  const { razorpay } = parts;
  const subscription = await fetchSubscription(parts, id);
  if (!subscription) return undefined;
  const { status } = subscription;
  const isOver = status === 'cancelled' || status === 'completed' || status === 'expired';
  const given = isOver ? 0 : await giveBack(parts, id, at);
  // Between two payments there is an end to wait for; before the first there is none.
  const waits = !atOnce && given === 0 && (status === 'active' || status === 'pending');
  if (waits)
    await ask<unknown>(
      () => razorpay.subscriptions.cancel(id, true),
      () => razorpay.subscriptions.fetch(id),
    );
  else if (!isOver) await endSubscription(parts, id);
  const after = await readSubscription(parts, id);
  return after && { ...after, renewals: Math.max(0, after.renewals - given), cancelled: true };
}

/**
 * Razorpay does not say before what a change at once would charge, so that each begins with the next renewal. One that is asked for
 * again changes the same.
 */
async function changePlan(parts: RazorpayParts, id: string, change: PlanChange): Promise<ChangedSubscription | undefined> {
  const { razorpay } = parts;
  const subscription = await fetchSubscription(parts, id);
  if (!subscription) return undefined;
  const { status, has_scheduled_changes: waits, plan_id: runs } = subscription;
  if ((status !== 'active' && status !== 'authenticated') || change.starts === 'now') throw notChanged();
  const plan = await planOf(parts, change, change.terms);
  const no = ({ error }: Refused) => Promise.reject(notChanged(error?.description));
  // One change may wait, no more.
  if (waits)
    await ask<unknown>(
      () => razorpay.subscriptions.cancelScheduledChanges(id),
      () => razorpay.subscriptions.fetch(id),
    );
  if (plan !== runs)
    await ask<unknown>(
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
  // One that runs already began with the last renewal.
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
  // Razorpay resumes what was paused, and nothing that was cancelled, be it for the end of a period.
  resumeSubscription: () => Promise.reject(notResumed()),
  cancelSubscription: (id, ending) => cancelSubscription(parts, id, ending),
  // Razorpay lets a store charge a kept card only by a mandate for each payment: it keeps none.
  ...withoutCards,
  startSetup: async (request) =>
    request.subscription === undefined
      ? withoutCards.startSetup(request)
      : `${new URL(request.returnUrl).origin}/payments/razorpay/${request.subscription}?card=1`,
});
