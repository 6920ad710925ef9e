import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

const name = 'Your subscription';

export const subscribing = defineFlow({
  name: 'subscribing',
  machine: 'buying/subscribing',
  routes: [
    {
      pattern: '/{page:subscription/purchase}',
      access: 'login',
      keys: ['planid', 'subscriptionid', 'intentId'],
      hides: whilePaying,
      name,
      spec: ['S2.login/subscription/purchase'],
      examples: ['/subscription/purchase?planid=monthly'],
    },
    {
      pattern: '/{page:subscription/purchase/success}',
      access: 'login',
      hides: whilePaying,
      name,
      spec: ['S2.login/subscription/purchase/success'],
      examples: ['/subscription/purchase/success'],
    },
  ],
});
