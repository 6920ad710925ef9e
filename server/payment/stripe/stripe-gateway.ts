import Stripe from 'stripe';
import type { Gateway } from '../gateway.ts';
import type { GatewayNames } from '../gateway-names.ts';
import { stripeCards } from './cards.ts';
import { stripeIntents } from './intents.ts';
import { refund } from './refunds.ts';
import { stripeSubscriptions } from './subscriptions.ts';
import { stripeNews } from './webhook.ts';
import { realNow } from '../../base/clock/time.ts';

export type StripeAccess = {
  secretKey: string;
  webhookSecret: string;
  /** milliseconds after which an answer counts as lost */
  timeout: number;
  /** where Stripe is, for tests; left out, it is Stripe */
  at?: { host: string; port: number; protocol: 'http' };
  /** milliseconds since 1970; left out, the clock */
  now?: () => number;
};

/** Stripe: Checkout takes cards, its Payment Intents reserve and charge, its Billing renews. */
export function stripeGateway(
  { secretKey, webhookSecret, timeout, at, now = realNow }: StripeAccess,
  names: GatewayNames,
): Gateway {
  // What was not heard is asked for by the store itself, which knows whether it is still wanted.
  const stripe = new Stripe(secretKey, { timeout, maxNetworkRetries: 0, telemetry: false, ...at });
  const parts = { stripe, names, now };
  return {
    port: {
      provider: 'stripe',
      methods: ['wallet'],
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
      refund: (id) => refund(parts, id),
      ...stripeCards(parts),
      ...stripeSubscriptions(parts),
    },
    news: { path: '/webhooks/stripe', read: stripeNews(stripe, webhookSecret, now) },
  };
}
