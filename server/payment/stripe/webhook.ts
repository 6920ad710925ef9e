import Stripe from 'stripe';
import { BadNews, type NewsReader } from '../gateway.ts';
import { ask } from './asking.ts';

/** The objects of events that may name a payment or a subscription of the store's. */
type Named = {
  metadata?: Stripe.Metadata | null;
  parent?: { subscription_details?: { metadata?: Stripe.Metadata | null } | null } | null;
};

/** The store's name for what an event is about: in its own metadata, or in those of an invoice's subscription. */
const referenceIn = ({ metadata, parent }: Named): string | undefined =>
  metadata?.['reference'] ?? parent?.subscription_details?.metadata?.['reference'];

/** Of a charge that a subscription has made, which has no name of the store's: the one of its invoice's subscription. */
async function referenceOfInvoice(stripe: Stripe, payment: string): Promise<string | undefined> {
  const made = await ask(() => stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: payment } }));
  const [invoice] = made.data.map((each) => (typeof each.invoice === 'string' ? each.invoice : each.invoice.id));
  return invoice === undefined ? undefined : referenceIn(await ask(() => stripe.invoices.retrieve(invoice)));
}

/** Reads Stripe's webhooks. Signature and age are checked by Stripe's own library. */
export const stripeNews =
  (stripe: Stripe, secret: string): NewsReader =>
  async (body, headers) => {
    const signature = headers['stripe-signature'];
    let event: Stripe.Event;
    try {
      event = await stripe.webhooks.constructEventAsync(body, String(signature ?? ''), secret);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new BadNews('The signature does not hold.');
      throw new BadNews('This is no event.');
    }
    const named = referenceIn(event.data.object as Named);
    if (named !== undefined || event.type !== 'charge.refunded') return named;
    const payment = event.data.object.payment_intent;
    return typeof payment === 'string' ? referenceOfInvoice(stripe, payment) : undefined;
  };
