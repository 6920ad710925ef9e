import Stripe from 'stripe';
import { createStripeGateway } from '../../../../server/payment/stripe/stripe-gateway.ts';
import { startFakeStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../stripe/fake-stripe.ts';
import { DAY_MS, memoryGatewayNames, type PlayedGateway, TIMEOUT_MS } from './harness.ts';

export const stripeAccess = (at: { host: string; port: number; protocol: 'http' }) => ({
  secretKey: STRIPE_KEY,
  webhookSecret: STRIPE_WEBHOOK_SECRET,
  timeout: TIMEOUT_MS,
  at,
});

/** @param ahead seconds by which the signature is dated in the future */
export const signAsStripe = (payload: string, ahead = 0): Record<string, string> => ({
  'stripe-signature': new Stripe('sk_test_1').webhooks.generateTestHeaderString({
    payload,
    secret: STRIPE_WEBHOOK_SECRET,
    timestamp: Math.floor(Date.now() / 1000) + ahead,
  }),
});

export async function startStripeHarness(): Promise<PlayedGateway> {
  const standIn = await startFakeStripe();
  const { book } = standIn;
  const calls = {
    create: 'POST /v1/checkout/sessions',
    capture: 'POST /v1/payment_intents/:id/capture',
    refund: 'POST /v1/refunds',
  };
  return {
    gateway: createStripeGateway({ ...stripeAccess(standIn.at), now: () => Date.now() + book.ahead }, memoryGatewayNames()),
    pay: async (url, card) => book.pay(url, card) !== null,
    payWithoutCard: async (url, approves) => book.pay(url, approves ? 'good' : 'declined') !== null,
    charges: async (reference) => book.charges(reference),
    refunded: async (reference) => book.refunded(reference),
    refundAtDashboard(reference, amount) {
      const payment = [...book.payments.values()].find(({ metadata }) => metadata['reference'] === reference);
      if (payment) book.refund(payment, amount);
    },
    advanceDays: (days) => void (book.ahead += days * DAY_MS),
    unknown: standIn.unknown,
    webhook(reference) {
      const body = standIn.event('payment_intent.succeeded', { metadata: { reference } });
      return { body, headers: signAsStripe(body) };
    },
    failNext: (call, kind) => standIn.trouble(calls[call], kind),
    close: standIn.close,
  };
}
