import Stripe from 'stripe';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { createCardCalls } from './cards.ts';
import { createIntentCalls } from './intents.ts';
import { refundIntent } from './refunds.ts';
import { createSubscriptionCalls } from './subscriptions.ts';
import { createStripeWebhookReader } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

export type StripeAccess = {
  secretKey: string;
  webhookSecret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** host and port of a fake Stripe in tests; left out: the real Stripe */
  at?: { host: string; port: number; protocol: 'http' };
  /** returns ms since 1970; left out: the system clock */
  now?: () => number;
};

/**
 * Creates the Stripe gateway: Checkout for pages, Payment Intents for charges, Billing for
 * renewals.
 */
export function createStripeGateway(
  { secretKey, webhookSecret, timeout, at, now = realNow }: StripeAccess,
  names: GatewayNames,
): Gateway {
  // The store retries requests itself, because it knows whether they are still needed.
  const stripe = new Stripe(secretKey, { timeout, maxNetworkRetries: 0, telemetry: false, ...at });
  const context = { stripe, names, now };
  return {
    port: {
      provider: 'stripe',
      methods: ['wallet'],
      wallets: ['paypal', 'amazon_pay', 'link'],
      resumes: true,
      isUp: async () => {
        try {
          await stripe.balance.retrieve();
          return true;
        } catch {
          return false;
        }
      },
      ...createIntentCalls(context),
      refund: (id) => refundIntent(context, id),
      ...createCardCalls(context),
      ...createSubscriptionCalls(context),
    },
    webhooks: { path: '/webhooks/stripe', read: createStripeWebhookReader(stripe, webhookSecret, now) },
  };
}
