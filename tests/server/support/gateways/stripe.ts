import Stripe from 'stripe';
import { createStripeGateway } from '../../../../server/payment/stripe/stripe-gateway.ts';
import { startFakeStripe, STRIPE_KEY, STRIPE_WEBHOOK_SECRET } from '../stripe/fake-stripe.ts';
import { DAY_MS, createMemoryGatewayNames, type GatewayHarness, TIMEOUT_MS } from './harness.ts';

export const createStripeAccess = (at: { host: string; port: number; protocol: 'http' }) => ({
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

export async function startStripeHarness(): Promise<GatewayHarness> {
  const fakeStripe = await startFakeStripe();
  const { gatewayState } = fakeStripe;
  const calls = {
    create: 'POST /v1/checkout/sessions',
    capture: 'POST /v1/payment_intents/:id/capture',
    refund: 'POST /v1/refunds',
  };
  return {
    gateway: createStripeGateway(
      { ...createStripeAccess(fakeStripe.at), now: () => Date.now() + gatewayState.clockOffsetMs },
      createMemoryGatewayNames(),
    ),
    pay: async (url, card) => gatewayState.pay(url, card) !== null,
    payWithoutCard: async (url, approves) => gatewayState.pay(url, approves ? 'good' : 'declined') !== null,
    countCharges: async (reference) => gatewayState.countCharges(reference),
    readRefundedMinor: async (reference) => gatewayState.sumRefunds(reference),
    refundAtDashboard(reference, amount) {
      const payment = [...gatewayState.payments.values()].find(({ metadata }) => metadata['reference'] === reference);
      if (payment) gatewayState.refund(payment, amount);
    },
    advanceDays: (days) => void (gatewayState.clockOffsetMs += days * DAY_MS),
    unknownRequests: fakeStripe.unknownRequests,
    webhook(reference) {
      const body = fakeStripe.event('payment_intent.succeeded', { metadata: { reference } });
      return { body, headers: signAsStripe(body) };
    },
    failNext: (call, kind) => fakeStripe.failNext(calls[call], kind),
    close: fakeStripe.close,
  };
}
