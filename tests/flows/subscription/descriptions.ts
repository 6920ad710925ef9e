import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Description } from '../../support/description.ts';

export const subscriptionDescription = {
  title: 'Subscriptions',
  about: 'The page /subscription: what a subscription brings, and whether the customer has one.',
  states: {
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered':
      'The heading “Subscriptions” with the store’s words; “Have you subscribed already? Sign in” for a visitor.',
    'subscription.subscribed': 'The heading “Subscriptions” and “You have subscribed.”',
    'subscription.closed': 'The heading “Subscriptions” and “This shop has no subscriptions. Every title is bought on its own.”',
    'subscription.failed': 'The heading “We could not see whether you have subscribed”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: {},
  asks: { subscriptionStatus: 'whether the customer has subscribed' },
} satisfies Description<typeof subscriptionMachine>;
