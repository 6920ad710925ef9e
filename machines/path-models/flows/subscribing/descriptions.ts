import type { subscribingMachine } from '../../../buying/subscribing.ts';
import type { Description } from '../../description.ts';

export const subscribingDescription = {
  title: 'Subscribing',
  about:
    'The page /subscription/purchase: what a plan costs, the way to the payment page and back; and the page that says thank you.',
  states: {
    'subscribing.loading': 'A wait: “Loading the subscription…”.',
    'subscribing.findingCards': 'A wait: “Loading the subscription…”.',
    'subscribing.offering':
      'The heading “Your subscription”, the plan’s name and price, that it is renewed until it is cancelled, “Continue to payment” and “Cancel”; with kept cards “Subscribe with {name}” for each, and “Use another card”.',
    'subscribing.offering.ready': 'Everything can be pressed.',
    'subscribing.offering.startingByCard': 'The plan stays, and nothing can be pressed.',
    'subscribing.offering.starting': 'The plan stays, and nothing can be pressed.',
    'subscribing.actionRequired': 'The heading “Complete your payment”, with “Continue to payment” and “Cancel”.',
    'subscribing.confirming': 'A wait: “Confirming your subscription…”.',
    'subscribing.confirmed': 'The heading “You’re subscribed.” for a moment, until the page that says thank you is there.',
    'subscribing.unknown':
      'The heading “We don’t know yet whether your payment went through”, the reason, “You won’t be charged twice.” and “Check again”.',
    'subscribing.lookingUp':
      'A wait: “Confirming your subscription…”. The answer to a kept card was lost: the customer’s subscription is asked for.',
    'subscribing.refused': 'The heading “You haven’t subscribed”, the reason, “Start over” and “See subscriptions”.',
    'subscribing.welcoming': 'A wait: “Loading the subscription…”.',
    'subscribing.welcomed':
      'The heading “Thank you!”, “You’re subscribed.”, the plan, and when it is renewed; “See all titles” and “Manage your subscription”.',
    'subscribing.subscribed': 'The heading “You’re already subscribed” and “You haven’t been charged.”.',
    'subscribing.notFound': '“We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.',
    'subscribing.failed': 'The heading “We couldn’t load your subscription”, the reason, and “Retry”.',
  },
  presses: {
    'retry.pressed': 'Press “Retry”, or “Start over”',
    'subscribe.pressed': 'Press “Continue to payment”, or “Use another card”',
    'card.pressed': 'Press “Subscribe with {name}”',
    'continue.pressed': 'Press “Continue to payment”, or “Continue”',
    'cancel.pressed': 'Press “Cancel”',
    'status.pressed': 'Press “Check again”',
  },
  happens: {},
  asks: {
    loadPlan: 'the plan that the address asks for',
    loadCards: 'the cards that the customer has kept',
    startByCard: 'its word that the card is good; nothing is charged',
    startSubscribing: 'the address of the payment page; nothing is charged',
    confirmSubscription: 'its word that the payment is taken and the subscription has begun',
    loadSubscription: 'the customer’s subscription',
  },
  effects: {
    keepProblem: 'The reason is said.',
    goPay: 'The payment page takes the shop’s place.',
    goWelcome: 'The shop is loaded anew at /subscription/purchase/success.',
    goBack: 'The page of all subscriptions is shown.',
  },
} satisfies Description<typeof subscribingMachine>;
