import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Description } from '../../support/description.ts';

export const subscriptionDescription = {
  title: 'Subscriptions',
  about: 'The page /subscription: what a subscription brings, and whether the customer has one.',
  states: {
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered': 'The heading “Subscriptions” with the store’s words; “Already a subscriber? Sign in” for a visitor.',
    'subscription.subscribed': 'The heading “Subscriptions” and “You’re subscribed.”',
    'subscription.closed':
      'The heading “Subscriptions” and “This shop doesn’t offer subscriptions. Each title is sold separately.”',
    'subscription.failed': 'The heading “We couldn’t check your subscription”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: {},
  asks: { subscriptionStatus: 'whether the customer has subscribed' },
} satisfies Description<typeof subscriptionMachine>;
