import type { subscriptionMachine } from '../../../machines/buying/subscription.ts';
import type { Description } from '../../support/description.ts';

export const subscriptionDescription = {
  title: 'Subscriptions',
  about: 'The page /subscription: the plans, and whether the customer has one.',
  states: {
    'subscription.loading': 'A wait under the heading “Subscriptions”: “Loading the subscriptions…”.',
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered':
      'The heading “Subscriptions” with the store’s words and a card for each plan: its name, its price for each period, and what it brings; “Already a subscriber? Sign in” for a visitor.',
    'subscription.subscribed':
      'The heading “Subscriptions”, “You’re subscribed.”, the customer’s plan, and “Manage your subscription”, which leads to the account.',
    'subscription.notFound': '“We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.',
    'subscription.closed':
      'The heading “Subscriptions” and “This shop doesn’t offer subscriptions. Each title is sold separately.”',
    'subscription.failed': 'The heading “We couldn’t load the subscriptions”, the reason, and “Retry”.',
  },
  presses: { 'retry.pressed': 'Press “Retry”' },
  happens: {
    'route.changed': 'The address asks for another plan, as /subscription?planid=monthly does, or for all of them',
    'language.changed': 'Another language is chosen',
  },
  asks: {
    loadPlans: 'the plans on offer, or the one that the address asks for',
    subscriptionStatus: 'whether the customer has subscribed',
  },
} satisfies Description<typeof subscriptionMachine>;
