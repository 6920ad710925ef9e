import type { subscriptionMachine } from '../../../buying/subscription.ts';
import type { Description } from '../../description.ts';

export const subscriptionDescription = {
  title: 'Subscriptions',
  about: 'The page /subscription: the plans, whether the customer has one, and the change to another one.',
  states: {
    'subscription.loading': 'A wait under the heading “Subscriptions”: “Loading the subscriptions…”.',
    'subscription.checking': 'A wait under the heading “Subscriptions”: “Checking your subscription…”.',
    'subscription.offered':
      'The heading “Subscriptions” with the store’s words and a card for each plan: its name, its price for each period, and what it brings; “Already a subscriber? Sign in” for a visitor.',
    'subscription.subscribed':
      'The heading “Subscriptions”, “You’re subscribed.”, the customer’s plan, the others with “Switch…”, and “Manage your subscription”, which leads to the account.',
    'subscription.quoting': 'The plans, with a spinner in the button that was pressed.',
    'subscription.asking':
      'In the card of the chosen plan “Switch to this subscription?”, when it begins and what is paid now and then, and “Not now”.',
    'subscription.changing': 'The same question, with a spinner in its first button.',
    'subscription.refreshing': 'The plans again, and what went wrong.',
    'subscription.notFound': '“We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.',
    'subscription.closed':
      'The heading “Subscriptions” and “This shop doesn’t offer subscriptions. Each title is sold separately.”',
    'subscription.failed': 'The heading “We couldn’t load the subscriptions”, the reason, and “Try again”.',
  },
  presses: {
    'retry.pressed': 'Press “Try again”',
    'change.pressed': 'Press “Switch…” at another plan, or “Keep your subscription…” where another one is to follow',
    'change.confirmed': 'Press “Switch and pay”, “Switch”, or “Keep it”',
    'change.declined': 'Press “Not now”',
  },
  happens: {
    'route.changed': 'The address asks for another plan, as /subscription?planid=monthly does, or for all of them',
    'language.changed': 'Another language is chosen',
  },
  asks: {
    loadPlans: 'the plans on offer, or the one that the address asks for',
    loadSubscription: 'the subscription that the customer has, or had last',
    quotePlan: 'what the plan would cost, and when it would begin',
    changePlan: 'where the customer goes on',
  },
  effects: { leaveShop: 'The browser goes to the page that says what the customer has now, or to the gateway’s.' },
} satisfies Description<typeof subscriptionMachine>;
