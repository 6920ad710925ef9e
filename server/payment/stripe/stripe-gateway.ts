import Stripe from 'stripe';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { stripeCards } from './cards.ts';
import { stripeIntents } from './intents.ts';
import { refundIntent } from './refunds.ts';
import { stripeSubscriptions } from './subscriptions.ts';
import { readStripeWebhook } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

export type StripeAccess = {
  secretKey: string;
  webhookSecret: string;
  /** timeout of a request, in ms */
  timeout: number;
  /** address of a fake Stripe in tests; left out: the real one */
  at?: { host: string; port: number; protocol: 'http' };
  /** ms since 1970; left out: the system clock */
  now?: () => number;
};

/**
 * The Stripe gateway: Checkout for the pages, Payment Intents for charges, Billing for renewals.
 */
export function stripeGateway(
  { secretKey, webhookSecret, timeout, at, now = realNow }: StripeAccess,
  names: GatewayNames,
): Gateway {
  // The store retries unanswered requests itself, because it knows whether they are still wanted.
  const stripe = new Stripe(secretKey, { timeout, maxNetworkRetries: 0, telemetry: false, ...at });
  const parts = { stripe, names, now };
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
      ...stripeIntents(parts),
      refund: (id) => refundIntent(parts, id),
      ...stripeCards(parts),
      ...stripeSubscriptions(parts),
    },
    webhooks: { path: '/webhooks/stripe', read: readStripeWebhook(stripe, webhookSecret, now) },
  };
}
