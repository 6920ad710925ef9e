import { BadSetting } from '../../settings/settings.ts';
import type { PaymentProvider } from '../provider.ts';
import { stripeGateway } from './stripe-gateway.ts';

export const stripe: PaymentProvider = {
  name: 'stripe',
  variables: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PUBLISHABLE_KEY'],
  readSettings: ({ needed, neededKey, key }) => {
    const secretKey = neededKey('STRIPE_SECRET_KEY', { live: /^[rs]k_live_\w+$/, test: /^[rs]k_test_\w+$/ });
    const webhookSecret = needed('STRIPE_WEBHOOK_SECRET');
    if (!/^whsec_\w+$/.test(webhookSecret)) throw new BadSetting('STRIPE_WEBHOOK_SECRET must begin with whsec_.');
    return {
      // The shop itself sends customers to Stripe's own pages, which need none.
      publicKey: key('STRIPE_PUBLISHABLE_KEY', { live: /^pk_live_\w+$/, test: /^pk_test_\w+$/ }),
      make: (timeout, names) => stripeGateway({ secretKey, webhookSecret, timeout }, names),
    };
  },
};
