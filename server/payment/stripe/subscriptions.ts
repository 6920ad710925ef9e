import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import {
  cardRefusedError,
  type ChangedSubscription,
  refundRefusedError,
  notChangeableError,
  type PaymentPort,
  PaymentUnknown,
  type PlanChange,
  type RemoteSubscription,
  type SubscriptionRefunds,
  type Terms,
} from '../port.ts';
import { fromStripeAmount, toStripeAmount } from './amounts.ts';
import { callStripe, retrieveOrUndefined, createOnce } from './calls.ts';
import type { StripeParts } from './cards.ts';
import { getExpanded } from './expanded.ts';

const DAY_S = 24 * 60 * 60;

/**
 * Seconds that a subscription stays usable after a failed payment; must match the retry period in
 * the settings of the Stripe account.
 */
const GRACE_S = 7 * DAY_S;

const PERIODS: Record<Terms['period'], { interval: 'week' | 'month' | 'year'; interval_count: number }> = {
  week: { interval: 'week', interval_count: 1 },
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  year: { interval: 'year', interval_count: 1 },
};

/** The terms that the customer agreed to, stored as metadata of the SetupIntent of their card. */
export type Agreement = { reference: string; currency: string; description: string; terms: Terms };

/** Converts an agreement to Stripe metadata, which has only strings. */
export const toAgreementMetadata = ({ reference, currency, description, terms }: Agreement): Record<string, string> => ({
  reference,
  currency,
  description,
  amount_minor: String(terms.amountMinor),
  period: terms.period,
  trial_days: String(terms.trialDays),
});

const isPeriod = (text: string | undefined): text is Terms['period'] => text !== undefined && text in PERIODS;

/** @returns undefined if the metadata has no agreement */
export function parseAgreement(texts: Stripe.Metadata | null): Agreement | undefined {
  const { reference, currency, description, amount_minor: amount, period, trial_days: trialDays } = texts ?? {};
  if (reference === undefined || currency === undefined || !isPeriod(period)) return undefined;
  const terms = { amountMinor: Number(amount), period, trialDays: Number(trialDays) };
  return { reference, currency, description: description ?? '', terms };
}

/**
 * Stripe requires a product for a price. Its id is a hash of its name, so that concurrent calls
 * create one.
 */
async function getOrCreateProduct({ stripe }: StripeParts, name: string): Promise<string> {
  const id = `plan_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  const isThere = (): Promise<{ id: string }> => callStripe(() => stripe.products.retrieve(id));
  const product = await callStripe<{ id: string }>(() => stripe.products.create({ id, name }), isThere);
  return product.id;
}

/** Stripe's parameters for the price of a plan. */
async function toPriceData(parts: StripeParts, { currency, description, terms }: Omit<Agreement, 'reference'>) {
  const unit_amount = toStripeAmount(terms.amountMinor, currency);
  const product = await getOrCreateProduct(parts, description);
  return { currency: currency.toLowerCase(), product, unit_amount, recurring: PERIODS[terms.period] };
}

const CANCELLED_AT_KEY = 'cancelled_at';
/** Metadata: the latest plan change, and the number of renewals before it. */
const CHANGE_KEY = 'change';
const CHANGE_RENEWALS_KEY = 'renewals_before';

const isRenewalInvoice = ({ billing_reason: reason }: Stripe.Invoice): boolean => reason === 'subscription_cycle';

/**
 * Converts Stripe's subscription to the port's type. Renewals after the customer's cancellation are
 * refunded and not counted.
 */
async function toRemoteSubscription({ stripe }: StripeParts, subscription: Stripe.Subscription): Promise<RemoteSubscription> {
  const cancelledAt = Number(subscription.metadata[CANCELLED_AT_KEY] ?? Number.POSITIVE_INFINITY);
  const paid = await callStripe(() =>
    stripe.invoices.list({ subscription: subscription.id, status: 'paid', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const renewals = paid.filter((invoice) => isRenewalInvoice(invoice) && invoice.created * 1000 <= cancelledAt).length;
  const { status, ended_at: endedAt, cancel_at_period_end: endsThen, cancel_at: cancelAt } = subscription;
  const [item] = subscription.items.data;
  const ends = (item?.current_period_end ?? subscription.start_date) * 1000;
  const cancelled = status === 'canceled' || endsThen || cancelAt !== null;
  const base = { id: subscription.id, renewals, cancelled };
  if (status === 'canceled' || status === 'incomplete_expired')
    return { ...base, state: 'ended', until: (endedAt ?? subscription.start_date) * 1000 };
  if (status === 'active' || status === 'trialing') return { ...base, state: 'active', until: ends };
  const unpaidSince = item?.current_period_start ?? subscription.start_date;
  return { ...base, state: 'past_due', until: (unpaidSince + GRACE_S) * 1000 };
}

/** The payments of a subscription with their refunds, the latest first. */
async function readPayments({ stripe }: StripeParts, id: string) {
  const subscription = await callStripe(() => stripe.subscriptions.retrieve(id));
  const cancelledAt = Number(subscription.metadata[CANCELLED_AT_KEY] ?? Number.POSITIVE_INFINITY);
  const paid = await callStripe(() =>
    stripe.invoices
      .list({ subscription: id, status: 'paid', limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 10_000 }),
  );
  const counted = paid.filter((each) => each.amount_paid > 0 && (!isRenewalInvoice(each) || each.created * 1000 <= cancelledAt));
  const payments = [];
  for (const invoice of counted.toSorted((a, b) => b.created - a.created))
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = toId(payment.payment_intent);
      if (intent === undefined) continue;
      const { latest_charge: charge } = await callStripe(() =>
        stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
      );
      const refunded = getExpanded(charge)?.amount_refunded ?? 0;
      payments.push({ intent, amount: invoice.amount_paid, refunded, currency: invoice.currency });
    }
  return payments;
}

async function readRefunds(parts: StripeParts, id: string): Promise<SubscriptionRefunds> {
  const payments = await readPayments(parts, id);
  const [last] = payments;
  const totalMinor = payments.reduce((sum, { refunded, currency }) => sum + fromStripeAmount(refunded, currency), 0);
  return { totalMinor, isLastWhole: last !== undefined && last.refunded >= last.amount };
}

/**
 * Refunds the last payment. Without an amount Stripe refunds all that remains; the idempotency key
 * contains the amount refunded so far, so that a later refund is a new one.
 */
async function refundSubscription(parts: StripeParts, id: string): Promise<SubscriptionRefunds> {
  const [last] = await readPayments(parts, id);
  if (last && last.refunded < last.amount)
    await callStripe<unknown>(
      () =>
        createOnce(`refund/${last.intent}/${last.refunded}`, (options) =>
          parts.stripe.refunds.create({ payment_intent: last.intent }, options),
        ),
      async ({ code, message }) => {
        // It was refunded elsewhere in the meantime.
        if (code !== 'charge_already_refunded') throw refundRefusedError(message);
      },
    );
  return readRefunds(parts, id);
}

/** The subscription that a payment of the store has started; undefined before that. */
export async function findSubscription(
  parts: StripeParts,
  customer: string,
  reference: string,
): Promise<RemoteSubscription | undefined> {
  const all = await callStripe(() =>
    parts.stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const found = all.find(({ metadata }) => metadata['reference'] === reference);
  return found && toRemoteSubscription(parts, found);
}

/**
 * Creates the agreed subscription and charges its first period, unless that is free. If the card is
 * declined, Stripe creates nothing.
 * @throws Stripe's error for the declined card; PaymentUnknown
 */
export async function createStripeSubscription(
  parts: StripeParts,
  agreed: Agreement,
  customer: string,
  card: string,
): Promise<void> {
  const { stripe } = parts;
  const { reference, terms } = agreed;
  const price_data = await toPriceData(parts, agreed);
  // Stripe's portal replaces the customer's default card, not that of a subscription; this is safe
  // because a customer has one subscription at a time.
  await callStripe(() => stripe.customers.update(customer, { invoice_settings: { default_payment_method: card } }));
  await createOnce(`subscription/${reference}`, (options) =>
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

const toId = (part: string | { id: string } | null | undefined): string | undefined =>
  typeof part === 'string' ? part : part?.id;

/**
 * Pays a past due invoice with the customer's new card, once for each card.
 * @returns whether the card paid
 */
async function payByNewCard({ stripe }: StripeParts, subscription: Stripe.Subscription): Promise<boolean> {
  const customerId = toId(subscription.customer) ?? '';
  const customer = await callStripe(() => stripe.customers.retrieve(customerId));
  const card = customer.deleted ? undefined : toId(customer.invoice_settings.default_payment_method);
  const invoice = toId(subscription.latest_invoice);
  if (card === undefined || invoice === undefined || card === subscription.metadata['card']) return false;
  const paid = await callStripe<Stripe.Invoice | undefined>(
    () => stripe.invoices.pay(invoice, { payment_method: card }, { idempotencyKey: `pay/${invoice}/${card}` }),
    async () => undefined,
  );
  if (!paid) return false;
  await callStripe(() => stripe.subscriptions.update(subscription.id, { metadata: { card } }));
  return true;
}

async function readSubscription(parts: StripeParts, id: string): Promise<RemoteSubscription | undefined> {
  const { stripe } = parts;
  const read = () => retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  const subscription = await read();
  if (!subscription) return undefined;
  const isPaidNow = subscription.status === 'past_due' && (await payByNewCard(parts, subscription));
  const now = isPaidNow ? await read() : subscription;
  return now && toRemoteSubscription(parts, now);
}

/** Undoes a renewal that was due after the cancellation: deletes, voids or refunds its invoice. */
async function undoRenewal({ stripe }: StripeParts, invoice: Stripe.Invoice): Promise<void> {
  if (invoice.status === 'draft') await callStripe(() => stripe.invoices.del(invoice.id));
  else if (invoice.status === 'open') await callStripe(() => stripe.invoices.voidInvoice(invoice.id));
  else if (invoice.status === 'paid') {
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = toId(payment.payment_intent);
      if (intent === undefined) continue;
      await callStripe<unknown>(
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
): Promise<RemoteSubscription | undefined> {
  const { stripe } = parts;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status === 'canceled') return toRemoteSubscription(parts, subscription);
  await callStripe(() =>
    stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata: { [CANCELLED_AT_KEY]: String(at) } }),
  );
  const invoices = await callStripe(() =>
    stripe.invoices
      .list({ subscription: id, created: { gt: Math.floor(at / 1000) }, limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 1000 }),
  );
  const late = invoices.filter(isRenewalInvoice);
  for (const invoice of late) await undoRenewal(parts, invoice);
  if (atOnce || late.length > 0)
    await callStripe(
      () => stripe.subscriptions.cancel(id),
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(parts, id);
}

/** Stripe removes a metadata key that is set to an empty string. */
async function resumeSubscription(parts: StripeParts, id: string): Promise<RemoteSubscription | undefined> {
  const { stripe } = parts;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status !== 'canceled')
    await callStripe<unknown>(
      () => stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [CANCELLED_AT_KEY]: '' } }),
      // It may have ended in the meantime.
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(parts, id);
}

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/**
 * An immediate change starts a new period and credits the unused time of the old one, to the
 * second.
 */
const atOnce = (at: number) =>
  ({ billing_cycle_anchor: { type: 'now' }, proration_behavior: 'always_invoice', proration_date: toSeconds(at) }) as const;

/** The item of a paid subscription that is not cancelled; undefined for any other. */
const findChangeableItem = ({
  status,
  items,
  cancel_at_period_end: ends,
}: Stripe.Subscription): Stripe.SubscriptionItem | undefined =>
  (status === 'active' || status === 'trialing') && !ends ? items.data[0] : undefined;

async function quoteChange(parts: StripeParts, id: string, change: Omit<PlanChange, 'starts'>): Promise<number | undefined> {
  const { stripe } = parts;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  const item = subscription?.status === 'active' ? findChangeableItem(subscription) : undefined;
  if (!item) return undefined;
  const items = [{ id: item.id, price_data: await toPriceData(parts, change) }];
  const preview = await callStripe(() =>
    stripe.invoices.createPreview({ subscription: id, subscription_details: { items, ...atOnce(change.at) } }),
  );
  return fromStripeAmount(preview.amount_due, preview.currency);
}

/**
 * The amount that an immediate change charged: its invoice has the reason `subscription_update` and
 * was created since.
 */
async function readChargedMinor({ stripe }: StripeParts, id: string, { at, starts }: PlanChange): Promise<number> {
  if (starts === 'renewal') return 0;
  const paid = await callStripe(() =>
    stripe.invoices.list({ subscription: id, status: 'paid', created: { gte: toSeconds(at) }, limit: 100 }),
  );
  const [invoice] = paid.data.filter(({ billing_reason: reason }) => reason === 'subscription_update');
  if (!invoice) throw new PaymentUnknown(new Error(`Stripe has no paid invoice of a plan change of ${id}.`));
  return fromStripeAmount(invoice.amount_paid, invoice.currency);
}

/**
 * Updates the plan at Stripe. For a change with the next renewal Stripe changes the price now; a
 * trial until the end of the paid period delays the charge.
 */
async function updateItem(
  parts: StripeParts,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  change: PlanChange,
) {
  const { renewals } = await toRemoteSubscription(parts, subscription);
  const { reference, starts, at } = change;
  const items = [{ id: item.id, price_data: await toPriceData(parts, change) }];
  const then = { proration_behavior: 'none', trial_end: item.current_period_end } as const;
  const metadata = { [CHANGE_KEY]: reference, [CHANGE_RENEWALS_KEY]: String(renewals) };
  await createOnce(`change/${reference}`, (options) =>
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
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.metadata[CHANGE_KEY] !== change.reference) {
    const item = findChangeableItem(subscription);
    if (!item) throw notChangeableError();
    await callStripe<unknown>(
      () => updateItem(parts, subscription, item, change),
      async ({ type, message }) => {
        throw type === 'StripeCardError' ? cardRefusedError() : notChangeableError(message);
      },
    );
  }
  const { metadata, ...now } = await callStripe(() => stripe.subscriptions.retrieve(id));
  const renewalsBefore = Number(metadata[CHANGE_RENEWALS_KEY] ?? 0);
  return {
    ...(await toRemoteSubscription(parts, { ...now, metadata })),
    chargedMinor: await readChargedMinor(parts, id, change),
    renewalsBefore,
  };
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
