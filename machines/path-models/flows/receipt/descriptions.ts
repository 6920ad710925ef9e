import type { receiptMachine } from '../../../buying/receipt.ts';
import type { Description } from '../../description.ts';

export const receiptDescription = {
  title: 'The success page of a purchase',
  about:
    'The goods, the amount paid, and the way to open the title: /title/purchase/success; or the new subscription: /subscription/purchase/success.',
  states: {
    'receipt.loadingSubscription': 'A wait: “Loading the subscription…”.',
    'receipt.subscribed':
      'The heading “Thank you!”, “You’re subscribed.”, the plan, and its day of renewal; “See all titles” and “Manage your subscription”.',
    'receipt.loading': 'A wait: “Loading your receipt…”.',
    'receipt.shown':
      'The heading “Thank you!”, the receipt with “Title”, “Amount paid”, “Date” and “Order number”, “Print”, and “Open now”; for a gift, “A gift for” with the recipient, and “Send another gift” instead.',
    'receipt.printing': 'The browser’s own print dialog.',
    'receipt.notFound': ({ context }) =>
      context.isOfPlan
        ? '“We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.'
        : 'The heading “We couldn’t find this receipt” and the way to My Library.',
    'receipt.failed': ({ context }) =>
      context.isOfPlan
        ? 'The heading “We couldn’t load your subscription”, the reason, and “Try again”.'
        : 'The heading “We couldn’t load your receipt”, “Your purchase is safe.” and “Try again”.',
  },
  presses: { 'retry.pressed': 'Press “Try again”', 'read.pressed': 'Press “Open now”', 'print.pressed': 'Press “Print”' },
  happens: {
    'xstate.done.actor.print': 'The customer prints, or closes the print dialog',
    'xstate.error.actor.print': 'The browser cannot print',
  },
  asks: { purchaseInfo: 'the receipt', loadSubscription: 'the customer’s subscription' },
  effects: { goRead: 'The viewer opens the title.' },
} satisfies Description<typeof receiptMachine>;
