import type { subscriptionMachine } from '../../../buying/subscription.ts';
import type { Description } from '../../description.ts';

export const subscriptionDescription = {
  title: 'Subscriptions',
  about: 'The page /subscription: the plans, the customer’s subscription, and the change to another plan.',
  states: {
    'subscription.loading': 'A wait under the heading “Subscriptions”: “Loading the subscriptions…”.',
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered':
      'The heading “Subscriptions” with the store’s text and a card for each plan: its name, its price for each period, and its benefits; “Already a subscriber? Sign in” for a visitor.',
    'subscription.subscribed':
      'The heading “Subscriptions”, “You’re subscribed.”, the customer’s plan, the others with “Switch…”, and “Manage your subscription”, which leads to the account.',
    'subscription.quoting': 'The plans, with a spinner in the button that was pressed.',
    'subscription.asking':
      'In the card of the chosen plan “Switch to this subscription?”, the start, the amounts due now and at each renewal, and “Not now”.',
    'subscription.changing': 'The same question, with a spinner in its first button.',
    'subscription.refreshing': 'The plans again, and the problem.',
    'subscription.notFound': '“We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.',
    'subscription.closed':
      'The heading “Subscriptions” and “This shop doesn’t offer subscriptions. Each title is sold separately.”',
    'subscription.failed': 'The heading “We couldn’t load the subscriptions”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'change.pressed': 'Press “Switch…” at another plan, or “Keep your subscription…” if a change to another plan is scheduled',
    'change.confirmed': 'Press “Switch and pay”, “Switch”, or “Keep it”',
    'change.declined': 'Press “Not now”',
  },
  happens: {
    'route.changed': 'The URL changes to another plan, such as /subscription?planid=monthly, or to all plans',
    'language.changed': 'The customer chooses another language',
  },
  asks: {
    loadPlans: 'the offered plans, or the plan of the URL',
    loadSubscription: 'the customer’s current or last subscription',
    quotePlan: 'the price and the start of the plan',
    changePlan: 'the URL of the next page',
  },
  effects: { leaveShop: 'The browser opens the page with the new subscription, or the gateway’s page.' },
} satisfies Description<typeof subscriptionMachine>;
