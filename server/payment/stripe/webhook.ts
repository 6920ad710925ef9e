import Stripe from 'stripe';
import * as v from 'valibot';
import { InvalidWebhook, type WebhookReader } from '../gateway.ts';
import { gatewayIdSchema, nameSchema, objectSchema, parseShape, shape } from '../webhook-body.ts';
import { retrieveOrUndefined } from './calls.ts';
import { realNow } from '../../base/clock/time.ts';

/** Event types about the store's payments; events of other types are ignored. */
const FOLLOWED_TYPES = /^(?:checkout\.session|payment_intent|invoice|customer\.subscription)\.|^charge\.refunded$/;

/**
 * Maximum difference in seconds between a signature's timestamp and the clock. Stripe's library
 * checks only timestamps in the past.
 */
const TOLERANCE_SECONDS = 300;

const eventSchema = shape({ type: v.string() });
const dataSchema = shape({ data: shape({ object: objectSchema }) });

const metadataSchema = v.nullish(shape({ reference: v.optional(nameSchema) }));
/** The fields of payments, subscriptions and invoices that may have the store's reference. */
const referenceHolderSchema = shape({
  metadata: metadataSchema,
  parent: v.nullish(shape({ subscription_details: v.nullish(shape({ metadata: metadataSchema })) })),
});
const chargeSchema = shape({ payment_intent: v.nullish(gatewayIdSchema) });

/**
 * Returns the store's reference in an event's object: from its metadata, or, of an invoice, from
 * the metadata of its subscription.
 */
const getReference = ({ metadata, parent }: v.InferOutput<typeof referenceHolderSchema>): string | undefined =>
  metadata?.reference ?? parent?.subscription_details?.metadata?.reference;

/**
 * Finds the store's reference of a subscription's charge, which is only in the metadata of its
 * invoice's subscription. Undefined without a reference, or if Stripe does not know the payment: a
 * retry of the webhook would not change that.
 */
async function findInvoiceReference(stripe: Stripe, paymentIntentId: string): Promise<string | undefined> {
  const invoicePayments = await retrieveOrUndefined(() =>
    stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: paymentIntentId } }),
  );
  const [invoiceId] = (invoicePayments?.data ?? []).map(({ invoice }) => (typeof invoice === 'string' ? invoice : invoice.id));
  const invoice = invoiceId === undefined ? undefined : await retrieveOrUndefined(() => stripe.invoices.retrieve(invoiceId));
  return invoice && getReference(invoice);
}

/**
 * Returns the timestamp of a signature in seconds since 1970, as Stripe's library parses it; NaN if
 * the header has no timestamp.
 */
const readSignatureTime = (header: string): number => {
  const times = header
    .split(',')
    .map((field) => field.split('='))
    .filter(([name]) => name === 't');
  return Number.parseInt(times.at(-1)?.[1] ?? '', 10);
};

/**
 * Creates the reader of Stripe's webhooks. Stripe's library checks the signature, and that its
 * timestamp is not too old.
 * @param now returns ms since 1970
 */
export const createStripeWebhookReader =
  (stripe: Stripe, secret: string, now: () => number = realNow): WebhookReader =>
  async (body, headers) => {
    const signature = String(headers['stripe-signature'] ?? '');
    const receivedAt = now();
    let event: unknown;
    try {
      event = await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAt);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new InvalidWebhook('Invalid webhook signature.');
      throw new InvalidWebhook('The webhook body is not a JSON event.');
    }
    if (!(readSignatureTime(signature) <= receivedAt / 1000 + TOLERANCE_SECONDS))
      throw new InvalidWebhook(`The webhook signature’s timestamp is more than ${TOLERANCE_SECONDS} seconds in the future.`);
    const { type } = parseShape(event, eventSchema);
    if (!FOLLOWED_TYPES.test(type)) return undefined;
    const { object } = parseShape(event, dataSchema).data;
    const reference = getReference(parseShape(object, referenceHolderSchema));
    if (reference !== undefined || type !== 'charge.refunded') return reference;
    const { payment_intent: payment } = parseShape(object, chargeSchema);
    return typeof payment === 'string' ? findInvoiceReference(stripe, payment) : undefined;
  };
