import { defineFlow } from './flow-definition.ts';
import { hiddenWhilePaying } from './hides.ts';

export const subscription = defineFlow({
  name: 'subscription',
  machine: 'buying/subscription',
  serverRendered: true,
  reads: ['planid'],
  routes: [
    {
      pattern: '/subscription',
      hides: hiddenWhilePaying,
      name: 'Subscriptions',
      indexed: true,
      listed: [{ path: '/subscription', where: 'EnableSubscription' }],
      examples: ['/subscription'],
    },
  ],
});
