import Razorpay from 'razorpay';
import { validatePaymentVerification } from 'razorpay/dist/utils/razorpay-utils.js';
import * as v from 'valibot';
import { BadNews, type NewsReader } from '../gateway.ts';
import { gatewayIdSchema, nameSchema, readJson, readShape, shape } from '../webhook-body.ts';
import { look } from './asking.ts';
import { readNotes } from './notes.ts';

type Signed = { payment_id: string; order_id: string } | { payment_id: string; subscription_id: string };

/** Whether Razorpay has signed what a customer brings back from it; its own library decides. */
export const isSignedByRazorpay = (signed: Signed, signature: string, secret: string): boolean =>
  validatePaymentVerification(signed, signature, secret);

/** Events that the webhook is registered for; others are about nothing of the store's. */
const FOLLOWED_TYPES = /^(?:payment|order|refund|subscription)\./;

const eventSchema = shape({ event: v.string() });

/** Razorpay sends an empty array for no notes. */
const notesSchema = v.nullish(v.union([v.strictTuple([]), shape({ reference: v.optional(nameSchema) })]));
const idSchema = v.nullish(gatewayIdSchema);
const namedSchema = v.nullish(shape({ entity: shape({ notes: notesSchema, order_id: idSchema, invoice_id: idSchema }) }));
const followedSchema = shape({ payload: shape({ subscription: namedSchema, order: namedSchema, payment: namedSchema }) });

/**
 * Reads Razorpay's webhooks. Razorpay's own library checks the signature, which has no date: a
 * message that is sent again, however late, has the payment asked about once more, and changes
 * nothing by itself.
 */
export const razorpayNews =
  (razorpay: Razorpay, secret: string): NewsReader =>
  async (sent, headers) => {
    const text = sent.toString();
    const signature = String(headers['x-razorpay-signature'] ?? '');
    if (!Razorpay.validateWebhookSignature(text, signature, secret)) throw new BadNews('The signature does not hold.');
    const body = readJson(text);
    if (!FOLLOWED_TYPES.test(readShape(body, eventSchema).event)) return undefined;
    const { subscription, order, payment } = readShape(body, followedSchema).payload;
    const named = readNotes(subscription?.entity.notes) ?? readNotes(order?.entity.notes);
    if (named) return named.reference;
    // Of a payment only its order has the store's name.
    const orderId = payment?.entity.order_id;
    const found = orderId ? await look<{ notes?: object }>(() => razorpay.orders.fetch(orderId)) : undefined;
    const own = readNotes(found?.notes)?.reference;
    // Of a renewal it is its invoice's subscription that has it.
    const invoiceId = own === undefined ? payment?.entity.invoice_id : undefined;
    const invoice = invoiceId ? await look<object>(() => razorpay.invoices.fetch(invoiceId)) : undefined;
    const id = (invoice as { subscription_id?: string | null } | undefined)?.subscription_id;
    return own ?? readNotes((id ? await look(() => razorpay.subscriptions.fetch(id)) : undefined)?.notes)?.reference;
  };
