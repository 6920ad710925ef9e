import { optional } from 'valibot';
import { matching } from '../../settings/variable.ts';
import { createKeySchema, type PaymentProvider } from '../provider.ts';
import { stripeGateway } from './stripe-gateway.ts';

export const stripe: PaymentProvider<'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_PUBLISHABLE_KEY'> = {
  name: 'stripe',
  variables: {
    STRIPE_SECRET_KEY: { ...createKeySchema('[sr]k'), isNeeded: true, says: 'Stripe’s key, or a restricted one' },
    STRIPE_WEBHOOK_SECRET: {
      schema: optional(matching(/^whsec_\w+$/, 'must begin with whsec_')),
      isNeeded: true,
      isSecret: true,
      says: 'the signing secret of an endpoint at `/webhooks/stripe`',
    },
    STRIPE_PUBLISHABLE_KEY: {
      ...createKeySchema('pk'),
      says: 'sent to the page in `/config.json`; the shop’s own pages need none',
    },
  },
  readSettings: (given) => ({
    publicKey: given.STRIPE_PUBLISHABLE_KEY,
    make: (timeout, names) =>
      stripeGateway({ secretKey: given.STRIPE_SECRET_KEY, webhookSecret: given.STRIPE_WEBHOOK_SECRET, timeout }, names),
  }),
};
