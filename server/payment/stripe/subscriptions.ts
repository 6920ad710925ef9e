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
import type { StripeContext } from './cards.ts';
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
export function parseAgreement(metadata: Stripe.Metadata | null): Agreement | undefined {
  const { reference, currency, description, amount_minor: amount, period, trial_days: trialDays } = metadata ?? {};
  if (reference === undefined || currency === undefined || !isPeriod(period)) return undefined;
  const terms = { amountMinor: Number(amount), period, trialDays: Number(trialDays) };
  return { reference, currency, description: description ?? '', terms };
}

/**
 * Returns the id of the product with this name: Stripe requires a product for a price. The id is a
 * hash of the name, so that concurrent calls create one product.
 */
async function getOrCreateProduct({ stripe }: StripeContext, name: string): Promise<string> {
  const id = `plan_${createHash('sha256').update(name).digest('hex').slice(0, 32)}`;
  const retrieveExisting = (): Promise<{ id: string }> => callStripe(() => stripe.products.retrieve(id));
  const product = await callStripe<{ id: string }>(() => stripe.products.create({ id, name }), retrieveExisting);
  return product.id;
}

/** Returns Stripe's parameters for the price of a plan. */
async function toPriceData(context: StripeContext, { currency, description, terms }: Omit<Agreement, 'reference'>) {
  const unit_amount = toStripeAmount(terms.amountMinor, currency);
  const product = await getOrCreateProduct(context, description);
  return { currency: currency.toLowerCase(), product, unit_amount, recurring: PERIODS[terms.period] };
}

/** Metadata key: the time of the customer's cancellation, in ms since 1970. */
const CANCELLED_AT_KEY = 'cancelled_at';
/** Metadata key: the reference of the latest plan change. */
const CHANGE_KEY = 'change';
/** Metadata key: the number of renewals before the latest plan change. */
const CHANGE_RENEWALS_KEY = 'renewals_before';

const isRenewalInvoice = ({ billing_reason: reason }: Stripe.Invoice): boolean => reason === 'subscription_cycle';

/**
 * Converts Stripe's subscription to the port's type. Renewals after the customer's cancellation are
 * refunded and not counted.
 */
async function toRemoteSubscription({ stripe }: StripeContext, subscription: Stripe.Subscription): Promise<RemoteSubscription> {
  const cancelledAt = Number(subscription.metadata[CANCELLED_AT_KEY] ?? Number.POSITIVE_INFINITY);
  const paidInvoices = await callStripe(() =>
    stripe.invoices.list({ subscription: subscription.id, status: 'paid', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const renewals = paidInvoices.filter((invoice) => isRenewalInvoice(invoice) && invoice.created * 1000 <= cancelledAt).length;
  const { status, ended_at: endedAt, cancel_at_period_end: endsWithPeriod, cancel_at: cancelAt } = subscription;
  const [item] = subscription.items.data;
  const periodEndMs = (item?.current_period_end ?? subscription.start_date) * 1000;
  const cancelled = status === 'canceled' || endsWithPeriod || cancelAt !== null;
  const baseFields = { id: subscription.id, renewals, cancelled };
  if (status === 'canceled' || status === 'incomplete_expired')
    return { ...baseFields, state: 'ended', until: (endedAt ?? subscription.start_date) * 1000 };
  if (status === 'active' || status === 'trialing') return { ...baseFields, state: 'active', until: periodEndMs };
  const unpaidSince = item?.current_period_start ?? subscription.start_date;
  return { ...baseFields, state: 'past_due', until: (unpaidSince + GRACE_S) * 1000 };
}

/**
 * Reads the payments of a subscription with their refunded amounts, the latest first. Renewals
 * after the customer's cancellation are left out.
 */
async function readPayments({ stripe }: StripeContext, id: string) {
  const subscription = await callStripe(() => stripe.subscriptions.retrieve(id));
  const cancelledAt = Number(subscription.metadata[CANCELLED_AT_KEY] ?? Number.POSITIVE_INFINITY);
  const paidInvoices = await callStripe(() =>
    stripe.invoices
      .list({ subscription: id, status: 'paid', limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 10_000 }),
  );
  const countedInvoices = paidInvoices.filter(
    (each) => each.amount_paid > 0 && (!isRenewalInvoice(each) || each.created * 1000 <= cancelledAt),
  );
  const payments = [];
  for (const invoice of countedInvoices.toSorted((a, b) => b.created - a.created))
    for (const { payment } of invoice.payments?.data ?? []) {
      const intent = toId(payment.payment_intent);
      if (intent === undefined) continue;
      const { latest_charge: charge } = await callStripe(() =>
        stripe.paymentIntents.retrieve(intent, { expand: ['latest_charge'] }),
      );
      const refundedAmount = getExpanded(charge)?.amount_refunded ?? 0;
      payments.push({ intent, amount: invoice.amount_paid, refunded: refundedAmount, currency: invoice.currency });
    }
  return payments;
}

async function readRefunds(context: StripeContext, id: string): Promise<SubscriptionRefunds> {
  const payments = await readPayments(context, id);
  const [lastPayment] = payments;
  const totalMinor = payments.reduce((sum, { refunded, currency }) => sum + fromStripeAmount(refunded, currency), 0);
  return { totalMinor, isLastWhole: lastPayment !== undefined && lastPayment.refunded >= lastPayment.amount };
}

/**
 * Refunds the last payment. Without an amount, Stripe refunds the remaining amount; the idempotency
 * key contains the amount refunded so far, so that a later refund has a new key.
 */
async function refundLastPayment(context: StripeContext, id: string): Promise<SubscriptionRefunds> {
  const [lastPayment] = await readPayments(context, id);
  if (lastPayment && lastPayment.refunded < lastPayment.amount)
    await callStripe<unknown>(
      () =>
        createOnce(`refund/${lastPayment.intent}/${lastPayment.refunded}`, (options) =>
          context.stripe.refunds.create({ payment_intent: lastPayment.intent }, options),
        ),
      async ({ code, message }) => {
        // The payment was refunded elsewhere in the meantime.
        if (code !== 'charge_already_refunded') throw refundRefusedError(message);
      },
    );
  return readRefunds(context, id);
}

/** Finds the subscription that a payment of the store has started; undefined before the start. */
export async function findSubscription(
  context: StripeContext,
  customer: string,
  reference: string,
): Promise<RemoteSubscription | undefined> {
  const subscriptions = await callStripe(() =>
    context.stripe.subscriptions.list({ customer, status: 'all', limit: 100 }).autoPagingToArray({ limit: 10_000 }),
  );
  const subscription = subscriptions.find(({ metadata }) => metadata['reference'] === reference);
  return subscription && toRemoteSubscription(context, subscription);
}

/**
 * Creates the agreed subscription and charges its first period, unless that is free. If the card is
 * declined, Stripe creates nothing.
 * @throws StripeCardError for a declined card, or another error of Stripe; PaymentUnknown;
 * DomainError conflict not_for_sale
 */
export async function createStripeSubscription(
  context: StripeContext,
  agreement: Agreement,
  customer: string,
  card: string,
): Promise<void> {
  const { stripe } = context;
  const { reference, terms } = agreement;
  const price_data = await toPriceData(context, agreement);
  // The customer's default card, since Stripe's portal replaces that one, not the subscription's
  // card. A customer has only one subscription at a time.
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

const toId = (reference: string | { id: string } | null | undefined): string | undefined =>
  typeof reference === 'string' ? reference : reference?.id;

/**
 * Pays a past due invoice with the customer's new card, once for each card.
 * @returns whether the card has paid the invoice
 */
async function payByNewCard({ stripe }: StripeContext, subscription: Stripe.Subscription): Promise<boolean> {
  const customerId = toId(subscription.customer) ?? '';
  const customer = await callStripe(() => stripe.customers.retrieve(customerId));
  const card = customer.deleted ? undefined : toId(customer.invoice_settings.default_payment_method);
  const invoice = toId(subscription.latest_invoice);
  if (card === undefined || invoice === undefined || card === subscription.metadata['card']) return false;
  const paidInvoice = await callStripe<Stripe.Invoice | undefined>(
    () => stripe.invoices.pay(invoice, { payment_method: card }, { idempotencyKey: `pay/${invoice}/${card}` }),
    async () => undefined,
  );
  if (!paidInvoice) return false;
  await callStripe(() => stripe.subscriptions.update(subscription.id, { metadata: { card } }));
  return true;
}

async function readSubscription(context: StripeContext, id: string): Promise<RemoteSubscription | undefined> {
  const { stripe } = context;
  const retrieve = () => retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  const subscription = await retrieve();
  if (!subscription) return undefined;
  const isPaidNow = subscription.status === 'past_due' && (await payByNewCard(context, subscription));
  const currentSubscription = isPaidNow ? await retrieve() : subscription;
  return currentSubscription && toRemoteSubscription(context, currentSubscription);
}

/** Undoes a renewal that was due after the cancellation: deletes, voids or refunds its invoice. */
async function undoRenewal({ stripe }: StripeContext, invoice: Stripe.Invoice): Promise<void> {
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
  context: StripeContext,
  id: string,
  { at, atOnce }: { at: number; atOnce: boolean },
): Promise<RemoteSubscription | undefined> {
  const { stripe } = context;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status === 'canceled') return toRemoteSubscription(context, subscription);
  await callStripe(() =>
    stripe.subscriptions.update(id, { cancel_at_period_end: true, metadata: { [CANCELLED_AT_KEY]: String(at) } }),
  );
  const invoices = await callStripe(() =>
    stripe.invoices
      .list({ subscription: id, created: { gt: Math.floor(at / 1000) }, limit: 100, expand: ['data.payments'] })
      .autoPagingToArray({ limit: 1000 }),
  );
  const lateRenewals = invoices.filter(isRenewalInvoice);
  for (const invoice of lateRenewals) await undoRenewal(context, invoice);
  if (atOnce || lateRenewals.length > 0)
    await callStripe(
      () => stripe.subscriptions.cancel(id),
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(context, id);
}

/** Withdraws a cancellation. Stripe removes a metadata key that is set to an empty string. */
async function resumeSubscription(context: StripeContext, id: string): Promise<RemoteSubscription | undefined> {
  const { stripe } = context;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.status !== 'canceled')
    await callStripe<unknown>(
      () => stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { [CANCELLED_AT_KEY]: '' } }),
      // The subscription may have ended in the meantime.
      () => stripe.subscriptions.retrieve(id),
    );
  return readSubscription(context, id);
}

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

/**
 * Returns the parameters of an immediate change, which starts a new period and credits the unused
 * time of the old period, to the second.
 */
const toImmediateChange = (at: number) =>
  ({ billing_cycle_anchor: { type: 'now' }, proration_behavior: 'always_invoice', proration_date: toSeconds(at) }) as const;

/** Returns the item of an active, uncancelled subscription; undefined for any other. */
const findChangeableItem = ({
  status,
  items,
  cancel_at_period_end: endsWithPeriod,
}: Stripe.Subscription): Stripe.SubscriptionItem | undefined =>
  (status === 'active' || status === 'trialing') && !endsWithPeriod ? items.data[0] : undefined;

async function quoteChange(context: StripeContext, id: string, change: Omit<PlanChange, 'starts'>): Promise<number | undefined> {
  const { stripe } = context;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  const item = subscription?.status === 'active' ? findChangeableItem(subscription) : undefined;
  if (!item) return undefined;
  const items = [{ id: item.id, price_data: await toPriceData(context, change) }];
  const preview = await callStripe(() =>
    stripe.invoices.createPreview({ subscription: id, subscription_details: { items, ...toImmediateChange(change.at) } }),
  );
  return fromStripeAmount(preview.amount_due, preview.currency);
}

/**
 * Reads the amount that an immediate change charged, from its invoice: that has the reason
 * `subscription_update` and was created since `at`.
 */
async function readChargedMinor({ stripe }: StripeContext, id: string, { at, starts }: PlanChange): Promise<number> {
  if (starts === 'renewal') return 0;
  const paidInvoices = await callStripe(() =>
    stripe.invoices.list({ subscription: id, status: 'paid', created: { gte: toSeconds(at) }, limit: 100 }),
  );
  const [invoice] = paidInvoices.data.filter(({ billing_reason: reason }) => reason === 'subscription_update');
  if (!invoice) throw new PaymentUnknown(new Error(`Stripe has no paid invoice for the plan change of subscription ${id}.`));
  return fromStripeAmount(invoice.amount_paid, invoice.currency);
}

/**
 * Updates the plan at Stripe. For a change with the next renewal Stripe changes the price now; a
 * trial until the end of the paid period delays the charge.
 */
async function updateItem(
  context: StripeContext,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  change: PlanChange,
) {
  const { renewals } = await toRemoteSubscription(context, subscription);
  const { reference, starts, at } = change;
  const items = [{ id: item.id, price_data: await toPriceData(context, change) }];
  const atRenewal = { proration_behavior: 'none', trial_end: item.current_period_end } as const;
  const metadata = { [CHANGE_KEY]: reference, [CHANGE_RENEWALS_KEY]: String(renewals) };
  await createOnce(`change/${reference}`, (options) =>
    context.stripe.subscriptions.update(
      subscription.id,
      starts === 'now'
        ? { items, ...toImmediateChange(at), off_session: true, payment_behavior: 'error_if_incomplete', metadata }
        : { items, ...atRenewal, metadata },
      options,
    ),
  );
}

async function changePlan(context: StripeContext, id: string, change: PlanChange): Promise<ChangedSubscription | undefined> {
  const { stripe } = context;
  const subscription = await retrieveOrUndefined(() => stripe.subscriptions.retrieve(id));
  if (!subscription) return undefined;
  if (subscription.metadata[CHANGE_KEY] !== change.reference) {
    const item = findChangeableItem(subscription);
    if (!item) throw notChangeableError();
    await callStripe<unknown>(
      () => updateItem(context, subscription, item, change),
      async ({ type, message }) => {
        throw type === 'StripeCardError' ? cardRefusedError() : notChangeableError(message);
      },
    );
  }
  const { metadata, ...current } = await callStripe(() => stripe.subscriptions.retrieve(id));
  const renewalsBefore = Number(metadata[CHANGE_RENEWALS_KEY] ?? 0);
  return {
    ...(await toRemoteSubscription(context, { ...current, metadata })),
    chargedMinor: await readChargedMinor(context, id, change),
    renewalsBefore,
  };
}

export const createSubscriptionCalls = (
  context: StripeContext,
): Pick<
  PaymentPort,
  | 'readSubscription'
  | 'cancelSubscription'
  | 'resumeSubscription'
  | 'quoteChange'
  | 'changePlan'
  | 'readRefunds'
  | 'refundLastPayment'
> => ({
  readRefunds: (id) => readRefunds(context, id),
  refundLastPayment: (id) => refundLastPayment(context, id),
  readSubscription: (id) => readSubscription(context, id),
  quoteChange: (id, change) => quoteChange(context, id, change),
  changePlan: (id, change) => changePlan(context, id, change),
  resumeSubscription: (id) => resumeSubscription(context, id),
  cancelSubscription: (id, ending) => cancelSubscription(context, id, ending),
});
