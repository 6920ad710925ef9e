import Stripe from 'stripe';
import * as v from 'valibot';
import { BadNews, type NewsReader } from '../gateway.ts';
import { gatewayIdSchema, nameSchema, objectSchema, readShape, shape } from '../webhook-body.ts';
import { look } from './asking.ts';
import { realNow } from '../../base/clock/time.ts';

/**
 * Events that the endpoint is registered for; Stripe may send others, which are about nothing of
 * the store's.
 */
const FOLLOWED_TYPES = /^(?:checkout\.session|payment_intent|invoice|customer\.subscription)\.|^charge\.refunded$/;

/**
 * Seconds by which a signature's date may differ from the clock. Stripe's library holds it to the
 * past only.
 */
const TOLERANCE_SECONDS = 300;

const eventSchema = shape({ type: v.string() });
const followedSchema = shape({ data: shape({ object: objectSchema }) });

const metadataSchema = v.nullish(shape({ reference: v.optional(nameSchema) }));
/** The parts of payments, subscriptions and invoices that may have the store's name. */
const namedSchema = shape({
  metadata: metadataSchema,
  parent: v.nullish(shape({ subscription_details: v.nullish(shape({ metadata: metadataSchema })) })),
});
const chargeSchema = shape({ payment_intent: v.nullish(gatewayIdSchema) });

/** The store's name for what an event is about: in its own metadata, or in those of an invoice's subscription. */
const referenceIn = ({ metadata, parent }: v.InferOutput<typeof namedSchema>): string | undefined =>
  metadata?.reference ?? parent?.subscription_details?.metadata?.reference;

/**
 * Of a charge that a subscription has made, which has no name of the store's: the one of its
 * invoice's subscription. Undefined, too, where Stripe does not know the payment: sending the event
 * again would not change that.
 */
async function referenceOfInvoice(stripe: Stripe, payment: string): Promise<string | undefined> {
  const made = await look(() => stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: payment } }));
  const [invoiceId] = (made?.data ?? []).map(({ invoice }) => (typeof invoice === 'string' ? invoice : invoice.id));
  const invoice = invoiceId === undefined ? undefined : await look(() => stripe.invoices.retrieve(invoiceId));
  return invoice && referenceIn(invoice);
}

/**
 * The date of a signature in seconds since 1970, as Stripe's library reads it; NaN where the header
 * has none.
 */
const signedAt = (header: string): number => {
  const times = header
    .split(',')
    .map((part) => part.split('='))
    .filter(([name]) => name === 't');
  return Number.parseInt(times.at(-1)?.[1] ?? '', 10);
};

/**
 * Reads Stripe's webhooks. Stripe's own library checks the signature and that it is not too old.
 * @param now in milliseconds since 1970
 */
export const stripeNews =
  (stripe: Stripe, secret: string, now: () => number = realNow): NewsReader =>
  async (body, headers) => {
    const signature = String(headers['stripe-signature'] ?? '');
    const receivedAt = now();
    let event: unknown;
    try {
      event = await stripe.webhooks.constructEventAsync(body, signature, secret, TOLERANCE_SECONDS, undefined, receivedAt);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new BadNews('The signature does not hold.');
      throw new BadNews('The webhook’s body is not JSON of an event.');
    }
    if (!(signedAt(signature) <= receivedAt / 1000 + TOLERANCE_SECONDS))
      throw new BadNews(`The signature is dated more than ${TOLERANCE_SECONDS} seconds in the future.`);
    const { type } = readShape(event, eventSchema);
    if (!FOLLOWED_TYPES.test(type)) return undefined;
    const { object } = readShape(event, followedSchema).data;
    const named = referenceIn(readShape(object, namedSchema));
    if (named !== undefined || type !== 'charge.refunded') return named;
    const { payment_intent: payment } = readShape(object, chargeSchema);
    return typeof payment === 'string' ? referenceOfInvoice(stripe, payment) : undefined;
  };
