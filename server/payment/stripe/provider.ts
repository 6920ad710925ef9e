import { optional } from 'valibot';
import { matching } from '../../settings/variable.ts';
import { createKeySchema, type PaymentProvider } from '../provider.ts';
import { createStripeGateway } from './stripe-gateway.ts';

export const stripe: PaymentProvider<'STRIPE_SECRET_KEY' | 'STRIPE_WEBHOOK_SECRET' | 'STRIPE_PUBLISHABLE_KEY'> = {
  name: 'stripe',
  variables: {
    STRIPE_SECRET_KEY: { ...createKeySchema('[sr]k'), isRequired: true, description: 'Stripe’s key, or a restricted one' },
    STRIPE_WEBHOOK_SECRET: {
      schema: optional(matching(/^whsec_\w+$/, 'must begin with whsec_')),
      isRequired: true,
      isSecret: true,
      description: 'the signing secret of an endpoint at `/webhooks/stripe`',
    },
    STRIPE_PUBLISHABLE_KEY: {
      ...createKeySchema('pk'),
      description: 'sent to the page in `/config.json`; the shop’s own pages need none',
    },
  },
  readSettings: (values) => ({
    publicKey: values.STRIPE_PUBLISHABLE_KEY,
    buildGateway: (timeout, names) =>
      createStripeGateway({ secretKey: values.STRIPE_SECRET_KEY, webhookSecret: values.STRIPE_WEBHOOK_SECRET, timeout }, names),
  }),
};
