import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import {
  cardRefused,
  type ChangedSubscription,
  noRefund,
  notChanged,
  type PaymentPort,
  PaymentUnknown,
  type PlanChange,
  type RunningSubscription,
  type SubscriptionRefunds,
  type Terms,
} from '../port.ts';
import { minorOfStripe, stripeAmount } from './amounts.ts';
import { ask, look, once } from './asking.ts';
import type { StripeParts } from './cards.ts';
import { whole } from './expanded.ts';

const DAY = 24 * 60 * 60;

/** Seconds for which a subscription whose payment has failed goes on; the account's settings have to say the same. */
const GRACE = 7 * DAY;

const PERIODS: Record<Terms['period'], { interval: 'week' | 'month' | 'year'; interval_count: number }> = {
  week: { interval: 'week', interval_count: 1 },
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  year: { interval: 'year', interval_count: 1 },
};

/** What is subscribed to, kept with the setup of the card that is to pay for it. */
export type Agreed = { reference: string; currency: string; description: string; terms: Terms };

/** The agreement as Stripe keeps it, in texts. */
export const agreedAsTexts = ({ reference, currency, description, terms }: Agreed): Record<string, string> => ({
  reference,
  currency,
  description,
  amount_minor: String(terms.amountMinor),
  period: terms.period,
  trial_days: String(terms.trialDays),
});

const isPeriod = (text: string | undefined): text is Terms['period'] => text !== undefined && text in PERIODS;

/** @returns undefined for texts that are no agreement */
export function agreedIn(texts: Stripe.Metadata | null): Agreed | undefined {
  const { reference, currency, description, amount_minor: amount, period, trial_days: trialDays } = texts ?? {};
  if (reference === undefined || currency === undefined || !isPeriod(period)) return undefined;
  const terms = { amountMinor: Number(amount), period, trialDays: Number(trialDays) };
  return { reference, currency, description: description ?? '', terms };
}

/** Stripe wants a product for a price; two that make the same one make it once, since it has its name's id. */
async function productOf({ stripe }: StripeParts, name: string): Promise<string> {
  const id = `plan_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  const isThere = (): Promise<{ id: string }> => ask(() => stripe.products.retrieve(id));
  const product = await ask<{ id: string }>(() => stripe.products.create({ id, name }), isThere);
  return product.id;
}

/** The price of a plan, as Stripe takes it. */
async function priceOf(parts: StripeParts, { currency, description, terms }: Omit<Agreed, 'reference'>) {
  const unit_amount = stripeAmount(terms.amountMinor, currency);
  const product = await productOf(parts, description);
  return { currency: currency.toLowerCase(), product, unit_amount, recurring: PERIODS[terms.period] };
}

const SHOP_CANCELLED = 'cancelled_at';
/** The change of plan that was made last, and how often it had been renewed then. */
const CHANGED = 'change';
const CHANGED_AFTER = 'renewals_before';

const cycles = ({ billing_reason: reason }: Stripe.Invoice): boolean => reason === 'subscription_cycle';

/** A subscription as the store reads it. What was renewed after the customer had cancelled is given back, and does not count. */
async function told({ stripe }: StripeParts, subscription: Stripe.Subscription): Promise<RunningSubscription> {
  const cancelledAt = Number(subscription.metadata[SHOP_CANCELLED] ?? Number.POSITIVE_INFINITY);
  const paid = await ask(() =>
    stripe.invoices.list({ subscription: subscription.id, status: 'paid', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const renewals = paid.filter((invoice) => cycles(invoice) && invoice.created * 1000 <= cancelledAt).length;
  const { status, ended_at: endedAt, cancel_at_period_end: endsThen, cancel_at: cancelAt } = subscription;
  const [item] = subscription.items.data;
  const ends = (item?.current_period_end ?? subscription.start_date) * 1000;
  const cancelled = status === 'canceled' || endsThen || cancelAt !== null;
  const base = { id: subscription.id, renewals, cancelled };
  if (status === 'canceled' || status === 'incomplete_expired')
    return { ...base, state: 'ended', until: (endedAt ?? subscription.start_date) * 1000 };
  if (status === 'active' || status === 'trialing') return { ...base, state: 'active', until: ends };
  const unpaidSince = item?.current_period_start ?? subscription.start_date;
  return { ...base, state: 'past_due', until: (unpaidSince + GRACE) * 1000 };
}

/** What was paid for a subscription, the last first, with what went back of it. */
async function paymentsOf({ stripe }: StripeParts, id: string) {
  const subscription = await ask(() => stripe.subscriptions.retrieve(id));
  const cancelledAt = Number(subscription.metadata[SHOP_CANCELLED] ?? Number.POSITIVE_INFINITY);
  const paid = await ask(() =>
    stripe.invoices
      .list({ subscription: id, status: 'paid', limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 10_000 }),
  );
  const counted = paid.filter((each) => each.amount_paid > 0 && (!cycles(each) || each.created * 1000 <= cancelledAt));
  const payments = [];
  for (const invoice of counted.toSorted((a, b) => b.created - a.created))
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = idOf(payment.payment_intent);
      if (intent === undefined) continue;
      const { latest_charge: charge } = await ask(() => stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }));
      const refunded = whole(charge)?.amount_refunded ?? 0;
      payments.push({ intent, amount: invoice.amount_paid, refunded, currency: invoice.currency });
    }
  return payments;
}

async function readRefunds(parts: StripeParts, id: string): Promise<SubscriptionRefunds> {
  const payments = await paymentsOf(parts, id);
  const [last] = payments;
  const totalMinor = payments.reduce((sum, { refunded, currency }) => sum + minorOfStripe(refunded, currency), 0);
  return { totalMinor, isLastWhole: last !== undefined && last.refunded >= last.amount };
}

/** Without an amount Stripe gives back all that is left; how much went back before makes it another refund than the last. */
async function refundSubscription(parts: StripeParts, id: string): Promise<SubscriptionRefunds> {
  const [last] = await paymentsOf(parts, id);
  if (last && last.refunded < last.amount)
    await ask<unknown>(
      () =>
        once(`refund/${last.intent}/${last.refunded}`, (options) =>
          parts.stripe.refunds.create({ payment_intent: last.intent }, options),
        ),
      async ({ code, message }) => {
        // Somebody else has, in the meantime.
        if (code !== 'charge_already_refunded') throw noRefund(message);
      },
    );
  return readRefunds(parts, id);
}

/** The subscription that has begun with a payment of the store's; undefined while none has. */
export async function subscriptionOf(
  parts: StripeParts,
  customer: string,
  reference: string,
): Promise<RunningSubscription | undefined> {
  const all = await ask(() =>
    parts.stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const found = all.find(({ metadata }) => metadata['reference'] === reference);
  return found && told(parts, found);
}

/**
 * Begins what was agreed, and charges the first period where it costs anything; Stripe makes nothing where the card does not pay.
 * @throws the refusal of the card; PaymentUnknown
 */
export async function startSubscription(parts: StripeParts, agreed: Agreed, customer: string, card: string): Promise<void> {
  const { stripe } = parts;
  const { reference, terms } = agreed;
  const price_data = await priceOf(parts, agreed);
  // Stripe's portal changes the customer's card, not that of one subscription: there is one at a time.
  await ask(() => stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }));
  await once(`subscription/${reference}`, (options) =>
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price_data }],
        ...(terms.trialDays > 0 ? { trial_period_days: terms.trialDays } : {}),
        off_session: true,
        payment_behavior: 'error_if_incomplete',
        metadata: { reference, card },
      },
      options,
    ),
  );
}

const idOf = (part: string | { id: string } | null | undefined): string | undefined =>
  typeof part === 'string' ? part : part?.id;

/** Has another card pay what one could not, once for each card: the customer may have given it just now. */
async function payByNewCard({ stripe }: StripeParts, subscription: Stripe.Subscription): Promise<boolean> {
  const customerId = idOf(subscription.customer) ?? '';
  const customer = await ask(() => stripe.customers.retrieve(customerId));
  const card = customer.deleted ? undefined : idOf(customer.invoice_settings.default_payment_method);
  const invoice = idOf(subscription.latest_invoice);
  if (card === undefined || invoice === undefined || card === subscription.metadata['card']) return false;
  const paid = await ask<Stripe.Invoice | undefined>(
    () => stripe.invoices.pay(invoice, { payment_method: card }, { idempotencyKey: `pay/${invoice}/${card}` }),
    async () => undefined,
  );
  if (!paid) return false;
  await ask(() => stripe.subscriptions.update(subscription.id, { metadata: { card } }));
  return true;
}

async function readSubscription(parts: StripeParts, id: string): Promise<RunningSubscription | undefined> {
  const { stripe } = parts;
  const read = () => look(() => stripe.subscriptions.retrieve(id));
  const subscription = await read();
  if (!subscription) return undefined;
  const isPaidNow = subscription.status === 'past_due' && (await payByNewCard(parts, subscription));
  const now = isPaidNow ? await read() : subscription;
  return now && told(parts, now);
}

/** Takes back a renewal that was due only after the customer had cancelled, wherever it stands. */
async function undoRenewal({ stripe }: StripeParts, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.status === 'draft') await ask(() => stripe.invoices.del(invoice.id));
  else if (invoice.status === 'open') await ask(() => stripe.invoices.voidInvoice(invoice.id));
  else if (invoice.status === 'paid') {
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = idOf(payment.payment_intent);
      if (intent === undefined) continue;
      await ask<unknown>(
        () => stripe.refunds.create({ payment_intent: intent }, { idempotencyKey: `refund/${invoice.id}` }),
        async (error) => {
          if (error.code !== 'charge_already_refunded') throw new PaymentUnknown(error);
        },
      );
    }
  }
}

async function cancelSubscription(
  parts: StripeParts,
  id: string,
  { at, atOnce }: { at: number; atOnce: boolean },
): Promise<RunningSubscription | undefined> {
  const { stripe } = parts;
  const subscription = await look(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status === 'canceled') return told(parts, subscription);
  await ask(() => stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata: { [SHOP_CANCELLED]: String(at) } }));
  const invoices = await ask(() =>
    stripe.invoices
      .list({ subscription: id, created: { gt: Math.floor(at / 1000) }, limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 1000 }),
  );
  const late = invoices.filter(cycles);
  for (const invoice of late) await undoRenewal(parts, invoice);
  if (atOnce || late.length > 0)
    await ask(
      () => stripe.subscriptions.cancel(id),
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(parts, id);
}

/** A text that is empty takes Stripe’s note of the cancelling off. */
async function resumeSubscription(parts: StripeParts, id: string): Promise<RunningSubscription | undefined> {
  const { stripe } = parts;
  const subscription = await look(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status !== 'canceled')
    await ask<unknown>(
      () => stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [SHOP_CANCELLED]: '' } }),
      // It has ended in the meantime.
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(parts, id);
}

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/** A change at once begins a period of its own, and takes off what is left of the other, to the second. */
const atOnce = (at: number) =>
  ({ billing_cycle_anchor: { type: 'now' }, proration_behavior: 'always_invoice', proration_date: seconds(at) }) as const;

/** What is to be changed of a subscription that is paid and goes on; undefined where it is not. */
const itemOf = ({ status, items, cancel_at_period_end: ends }: Stripe.Subscription): Stripe.SubscriptionItem | undefined =>
  (status === 'active' || status === 'trialing') && !ends ? items.data[0] : undefined;

async function quoteChange(parts: StripeParts, id: string, change: Omit<PlanChange, 'starts'>): Promise<number | undefined> {
  const { stripe } = parts;
  const subscription = await look(() => stripe.subscriptions.retrieve(id));
  const item = subscription?.status === 'active' ? itemOf(subscription) : undefined;
  if (!item) return undefined;
  const items = [{ id: item.id, price_data: await priceOf(parts, change) }];
  const preview = await ask(() =>
    stripe.invoices.createPreview({ subscription: id, subscription_details: { items, ...atOnce(change.at) } }),
  );
  return minorOfStripe(preview.amount_due, preview.currency);
}

/** What a change at once has charged: its invoice is the one that an update has made since. */
async function chargedBy({ stripe }: StripeParts, id: string, { at, starts }: PlanChange): Promise<number> {
  if (starts === 'renewal') return 0;
  const paid = await ask(() =>
    stripe.invoices.list({ subscription: id, status: 'paid', created: { gte: seconds(at) }, limit: 100 }),
  );
  const [invoice] = paid.data.filter(({ billing_reason: reason }) => reason === 'subscription_update');
  if (!invoice) throw new PaymentUnknown(new Error('Stripe has no invoice of a change.'));
  return minorOfStripe(invoice.amount_paid, invoice.currency);
}

/**
 * With the next renewal: Stripe changes the price at once, and charges it only when the days are over that are paid for, as if these
 * cost nothing.
 */
async function update(parts: StripeParts, subscription: Stripe.Subscription, item: Stripe.SubscriptionItem, change: PlanChange) {
  const { renewals } = await told(parts, subscription);
  const { reference, starts, at } = change;
  const items = [{ id: item.id, price_data: await priceOf(parts, change) }];
  const then = { proration_behavior: 'none', trial_end: item.current_period_end } as const;
  const metadata = { [CHANGED]: reference, [CHANGED_AFTER]: String(renewals) };
  await once(`change/${reference}`, (options) =>
    parts.stripe.subscriptions.update(
      subscription.id,
      starts === 'now'
        ? { items, ...atOnce(at), off_session: true, payment_behavior: 'error_if_incomplete', metadata }
        : { items, ...then, metadata },
      options,
    ),
  );
}

async function changePlan(parts: StripeParts, id: string, change: PlanChange): Promise<ChangedSubscription | undefined> {
  const { stripe } = parts;
  const subscription = await look(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.metadata[CHANGED] !== change.reference) {
    const item = itemOf(subscription);
    if (!item) throw notChanged();
    await ask<unknown>(
      () => update(parts, subscription, item, change),
      async ({ type, message }) => {
        throw type === 'StripeCardError' ? cardRefused() : notChanged(message);
      },
    );
  }
  const { metadata, ...now } = await ask(() => stripe.subscriptions.retrieve(id));
  const renewalsBefore = Number(metadata[CHANGED_AFTER] ?? 0);
  return { ...(await told(parts, { ...now, metadata })), chargedMinor: await chargedBy(parts, id, change), renewalsBefore };
}

export const stripeSubscriptions = (
  parts: StripeParts,
): Pick<
  PaymentPort,
  | 'readSubscription'
  | 'cancelSubscription'
  | 'resumeSubscription'
  | 'quoteChange'
  | 'changePlan'
  | 'readRefunds'
  | 'refundSubscription'
> => ({
  readRefunds: (id) => readRefunds(parts, id),
  refundSubscription: (id) => refundSubscription(parts, id),
  readSubscription: (id) => readSubscription(parts, id),
  quoteChange: (id, change) => quoteChange(parts, id, change),
  changePlan: (id, change) => changePlan(parts, id, change),
  resumeSubscription: (id) => resumeSubscription(parts, id),
  cancelSubscription: (id, ending) => cancelSubscription(parts, id, ending),
});
