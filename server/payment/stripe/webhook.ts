import Stripe from 'stripe';
import { BadNews, type NewsReader } from '../gateway.ts';

/** The objects of events that may name a payment or a subscription of the store's. */
type Named = {
  metadata?: Stripe.Metadata | null;
  parent?: { subscription_details?: { metadata?: Stripe.Metadata | null } | null } | null;
};

/** The store's name for what an event is about: in its own metadata, or in those of an invoice's subscription. */
const referenceIn = ({ metadata, parent }: Named): string | undefined =>
  metadata?.['reference'] ?? parent?.subscription_details?.metadata?.['reference'];

/** Reads Stripe's webhooks. Signature and age are checked by Stripe's own library. */
export const stripeNews =
  (stripe: Stripe, secret: string): NewsReader =>
  async (body, headers) => {
    const signature = headers['stripe-signature'];
    try {
      const event = await stripe.webhooks.constructEventAsync(body, String(signature ?? ''), secret);
      return referenceIn(event.data.object as Named);
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw new BadNews('The signature does not hold.');
      throw new BadNews('This is no event.');
    }
  };
