import Razorpay from 'razorpay';
import { validatePaymentVerification } from 'razorpay/dist/utils/razorpay-utils.js';
import * as v from 'valibot';
import { InvalidWebhook, type WebhookReader } from '../gateway.ts';
import { gatewayIdSchema, nameSchema, parseJson, parseShape, shape } from '../webhook-body.ts';
import { retrieveOrUndefined } from './calls.ts';
import { readNotes } from './notes.ts';

type SignedReturn = { payment_id: string; order_id: string } | { payment_id: string; subscription_id: string };

/**
 * Whether Razorpay has signed the values that a customer brings back, checked by Razorpay's
 * library.
 */
export const isSignedByRazorpay = (signed: SignedReturn, signature: string, secret: string): boolean =>
  validatePaymentVerification(signed, signature, secret);

/** Event types about the store's payments; events of other types are ignored. */
const FOLLOWED_TYPES = /^(?:payment|order|refund|subscription)\./;

const eventSchema = shape({ event: v.string() });

/** Razorpay sends an empty array if there are no notes. */
const notesSchema = v.nullish(v.union([v.strictTuple([]), shape({ reference: v.optional(nameSchema) })]));
const idSchema = v.nullish(gatewayIdSchema);
const entitySchema = v.nullish(shape({ entity: shape({ notes: notesSchema, order_id: idSchema, invoice_id: idSchema }) }));
const payloadSchema = shape({ payload: shape({ subscription: entitySchema, order: entitySchema, payment: entitySchema }) });

/**
 * Creates the reader of Razorpay's webhooks. Razorpay's library checks the signature, which has no
 * timestamp. A replayed webhook is harmless: it only makes the shop read the payment again.
 */
export const createRazorpayWebhookReader =
  (razorpay: Razorpay, secret: string): WebhookReader =>
  async (rawBody, headers) => {
    const text = rawBody.toString();
    const signature = String(headers['x-razorpay-signature'] ?? '');
    if (!Razorpay.validateWebhookSignature(text, signature, secret)) throw new InvalidWebhook('Invalid webhook signature.');
    const body = parseJson(text);
    if (!FOLLOWED_TYPES.test(parseShape(body, eventSchema).event)) return undefined;
    const { subscription, order, payment } = parseShape(body, payloadSchema).payload;
    const notes = readNotes(subscription?.entity.notes) ?? readNotes(order?.entity.notes);
    if (notes) return notes.reference;
    // The store's notes are on the payment's order, not on the payment.
    const orderId = payment?.entity.order_id;
    const paymentOrder = orderId
      ? await retrieveOrUndefined<{ notes?: object }>(() => razorpay.orders.fetch(orderId))
      : undefined;
    const orderReference = readNotes(paymentOrder?.notes)?.reference;
    // A renewal's payment has no order of the store: the notes are on its invoice's subscription.
    const invoiceId = orderReference === undefined ? payment?.entity.invoice_id : undefined;
    const invoice = invoiceId ? await retrieveOrUndefined<object>(() => razorpay.invoices.fetch(invoiceId)) : undefined;
    const subscriptionId = (invoice as { subscription_id?: string | null } | undefined)?.subscription_id;
    const invoicedSubscription = subscriptionId
      ? await retrieveOrUndefined(() => razorpay.subscriptions.fetch(subscriptionId))
      : undefined;
    return orderReference ?? readNotes(invoicedSubscription?.notes)?.reference;
  };
