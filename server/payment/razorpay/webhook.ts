import Razorpay from 'razorpay';
import { validatePaymentVerification } from 'razorpay/dist/utils/razorpay-utils.js';
import { BadNews, type NewsReader } from '../gateway.ts';
import { look } from './asking.ts';
import { readNotes } from './notes.ts';

type Signed = { payment_id: string; order_id: string } | { payment_id: string; subscription_id: string };

/** Whether Razorpay has signed what a customer brings back from it; its own library decides. */
export const isSignedByRazorpay = (signed: Signed, signature: string, secret: string): boolean =>
  validatePaymentVerification(signed, signature, secret);

type Named = {
  entity?: { notes?: object; order_id?: string | null; subscription_id?: string | null; invoice_id?: string | null };
};
type Event = { payload?: { subscription?: Named; order?: Named; payment?: Named } };

/** Reads Razorpay's webhooks. The signature is checked by Razorpay's own library. */
export const razorpayNews =
  (razorpay: Razorpay, secret: string): NewsReader =>
  async (body, headers) => {
    const text = body.toString();
    const signature = String(headers['x-razorpay-signature'] ?? '');
    if (!Razorpay.validateWebhookSignature(text, signature, secret)) throw new BadNews('The signature does not hold.');
    const { subscription, order, payment } = read(text).payload ?? {};
    const named = readNotes(subscription?.entity?.notes) ?? readNotes(order?.entity?.notes);
    if (named) return named.reference;
    // Of a payment only its order has the store's name.
    const orderId = payment?.entity?.order_id;
    const found = orderId ? await look<{ notes?: object }>(() => razorpay.orders.fetch(orderId)) : undefined;
    const own = readNotes(found?.notes)?.reference;
    // Of a renewal it is its invoice's subscription that has it.
    const invoiceId = own === undefined ? payment?.entity?.invoice_id : undefined;
    const invoice = invoiceId ? await look<object>(() => razorpay.invoices.fetch(invoiceId)) : undefined;
    const id = (invoice as { subscription_id?: string | null } | undefined)?.subscription_id;
    return own ?? readNotes((id ? await look(() => razorpay.subscriptions.fetch(id)) : undefined)?.notes)?.reference;
  };

function read(text: string): Event {
  try {
    return JSON.parse(text) as Event;
  } catch {
    throw new BadNews('This is no event.');
  }
}
