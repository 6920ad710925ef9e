import Razorpay from 'razorpay';
import { validatePaymentVerification } from 'razorpay/dist/utils/razorpay-utils.js';
import * as v from 'valibot';
import { InvalidWebhook, type WebhookReader } from '../gateway.ts';
import { gatewayIdSchema, nameSchema, parseJson, parseShape, shape } from '../webhook-body.ts';
import { retrieveOrUndefined } from './calls.ts';
import { readNotes } from './notes.ts';

type SignedReturn = { payment_id: string; order_id: string } | { payment_id: string; subscription_id: string };

/**
 * Checks Razorpay's signature of the values that a customer brings back, by Razorpay's own library.
 */
export const isSignedByRazorpay = (signed: SignedReturn, signature: string, secret: string): boolean =>
  validatePaymentVerification(signed, signature, secret);

/** Event types that concern the store's payments; others are ignored. */
const FOLLOWED_TYPES = /^(?:payment|order|refund|subscription)\./;

const eventSchema = shape({ event: v.string() });

/** Razorpay sends an empty array if there are no notes. */
const notesSchema = v.nullish(v.union([v.strictTuple([]), shape({ reference: v.optional(nameSchema) })]));
const idSchema = v.nullish(gatewayIdSchema);
const namedSchema = v.nullish(shape({ entity: shape({ notes: notesSchema, order_id: idSchema, invoice_id: idSchema }) }));
const followedSchema = shape({ payload: shape({ subscription: namedSchema, order: namedSchema, payment: namedSchema }) });

/**
 * Reads Razorpay's webhooks. Razorpay's library checks the signature, which has no timestamp. A
 * replayed webhook is harmless: it only makes the shop read the payment again.
 */
export const readRazorpayWebhook =
  (razorpay: Razorpay, secret: string): WebhookReader =>
  async (sent, headers) => {
    const text = sent.toString();
    const signature = String(headers['x-razorpay-signature'] ?? '');
    if (!Razorpay.validateWebhookSignature(text, signature, secret)) throw new InvalidWebhook('Invalid webhook signature.');
    const body = parseJson(text);
    if (!FOLLOWED_TYPES.test(parseShape(body, eventSchema).event)) return undefined;
    const { subscription, order, payment } = parseShape(body, followedSchema).payload;
    const named = readNotes(subscription?.entity.notes) ?? readNotes(order?.entity.notes);
    if (named) return named.reference;
    // A payment has no notes of the store; its order has.
    const orderId = payment?.entity.order_id;
    const found = orderId ? await retrieveOrUndefined<{ notes?: object }>(() => razorpay.orders.fetch(orderId)) : undefined;
    const own = readNotes(found?.notes)?.reference;
    // A renewal's payment has no order of the store; its invoice's subscription has the notes.
    const invoiceId = own === undefined ? payment?.entity.invoice_id : undefined;
    const invoice = invoiceId ? await retrieveOrUndefined<object>(() => razorpay.invoices.fetch(invoiceId)) : undefined;
    const id = (invoice as { subscription_id?: string | null } | undefined)?.subscription_id;
    return (
      own ?? readNotes((id ? await retrieveOrUndefined(() => razorpay.subscriptions.fetch(id)) : undefined)?.notes)?.reference
    );
  };
