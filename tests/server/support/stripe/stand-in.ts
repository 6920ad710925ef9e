import type Stripe from 'stripe';
import { gatewayStandIn } from '../gateway-stand-in.ts';
import { StripeBook } from './book.ts';
import { answerCalls } from './calls.ts';
import { CALLS, readForm } from './parameters.ts';

export const STRIPE_KEY = 'sk_test_ofTheTests';
export const STRIPE_WEBHOOK_SECRET = 'whsec_ofTheTests';

/** A stand-in of Stripe's interface, which knows the calls of the shop and no others. */
export async function standInForStripe() {
  const book = new StripeBook();
  const server = await gatewayStandIn({
    calls: CALLS,
    answers: answerCalls(book),
    authorization: `Bearer ${STRIPE_KEY}`,
    read: readForm,
    readQuery: readForm,
  });
  return {
    ...server,
    book,
    at: { host: '127.0.0.1', port: server.port, protocol: 'http' } as const,
    /** An event as Stripe sends it. */
    event: (type: Stripe.Event['type'], object: object): string =>
      JSON.stringify({ id: 'evt_1', object: 'event', type, created: book.now(), data: { object } }),
  };
}

export type StripeStandIn = Awaited<ReturnType<typeof standInForStripe>>;
