import type { paymentMachine } from '../../../buying/payment.ts';
import type { Description } from '../../description.ts';

export const paymentDescription = {
  title: 'Paying for an order',
  about:
    'The purchase while it is “paying”. No customer is charged twice, even if an answer is lost: count the charges in the gateway’s list at the end of each test.',
  states: {
    'payment.submitting': ({ context }) =>
      context.free || context.credits !== null
        ? `A wait: ${context.gift !== null ? '“Sending your gift…”' : '“Adding the title to your library…”'}.`
        : 'A wait: “Taking you to the payment page…”.',
    'payment.charging': 'A wait: “Paying…”.',
    'payment.unreachable': 'The heading “The shop can’t be reached”, “You haven’t been charged.”, with “Try again” and “Cancel”.',
    'payment.actionRequired':
      'The gateway’s page; behind it, by Back, the heading “Complete your payment” with “Continue to payment”, “I’ve already paid” and “Cancel”.',
    'payment.cancelling': 'A wait: “Checking your payment…” or “One moment…”.',
    'payment.confirming': 'A wait: “Confirming your payment…”.',
    'payment.unknown': 'The heading “We don’t know yet whether your payment went through”, with “Check again”.',
    'payment.reconciling': 'A wait: “Checking your payment…”.',
    'payment.succeeded': 'The payment succeeds: the purchase opens the success page.',
    'payment.failed': ({ context }) =>
      `The payment ends: the purchase shows ${context.of === 'subscription' ? '“You haven’t subscribed”' : '“The payment didn’t go through”'}.`,
    'payment.cancelled': 'The payment ends: the purchase shows “Purchase cancelled”, for a gift “Your gift hasn’t been sent”.',
    'payment.priceChanged': 'The payment ends: the purchase shows “The price has changed”, for a cart “Your cart has changed”.',
    'payment.owned': ({ context }) =>
      context.of === 'subscription'
        ? 'The payment ends: the purchase shows “You’re already subscribed”.'
        : 'The payment ends: the purchase fetches the title again and shows “You already own this title”.',
    'payment.none': 'The server has no such payment: the purchase loads the goods and their price again.',
    'payment.notFound': 'The payment ends: the purchase shows “We couldn’t find this payment”.',
  },
  presses: {
    'continue.pressed': 'Press “Continue to payment”',
    'cancel.pressed': 'Press “Cancel”',
    'retry.pressed': 'Press “Try again”',
    'status.pressed': ({ value }) => `Press ${value === 'unknown' ? '“Check again”' : '“I’ve already paid”'}`,
  },
  happens: { 'page.returned': 'The customer comes back from the gateway’s page by the browser’s Back' },
  asks: {
    startPayment: 'a payment session',
    payByCard: 'the status of the payment by the saved card',
    confirmPayment: 'the confirmation that the payment is captured and the title granted',
    statusBeforeCancel: 'the status of the payment',
    paymentStatus: 'the status of the payment',
  },
  effects: { goPay: 'The browser leaves for the gateway’s page.' },
} satisfies Description<typeof paymentMachine>;
