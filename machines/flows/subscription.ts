import { defineFlow } from './flow-definition.ts';
import { whilePaying } from './hides.ts';

export const subscription = defineFlow({
  name: 'subscription',
  machine: 'buying/subscription',
  painted: true,
  reads: ['planid'],
  routes: [
    {
      pattern: '/subscription',
      hides: whilePaying,
      name: 'Subscriptions',
      indexed: true,
      listed: [{ path: '/subscription', where: 'EnableSubscription' }],
      examples: ['/subscription'],
    },
  ],
});
