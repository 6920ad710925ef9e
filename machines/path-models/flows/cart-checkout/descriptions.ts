import type { SnapshotFrom } from 'xstate';
import type { cartCheckoutMachine } from '../../../buying/cart-checkout.ts';
import type { Description } from '../../description.ts';

const payButton = ({ context: { cardId } }: SnapshotFrom<typeof cartCheckoutMachine>): string =>
  cardId === null ? '“Continue to payment”' : '“Pay {total}”';

const payWith = ({ context: { cards, methods = [] } }: SnapshotFrom<typeof cartCheckoutMachine>): string => {
  const ways = [
    ...(cards.length > 0 ? ['the kept cards and “Another card”'] : []),
    ...(methods.length > 0 ? [cards.length > 0 ? '“Digital wallet”' : '“Card” and “Digital wallet”'] : []),
  ];
  return ways.length === 0 ? '' : `; under “Pay with” ${ways.join(', and ')}`;
};

export const cartCheckoutDescription = {
  title: 'Paying for the cart',
  about: 'The page /cart/checkout, from what is in the cart over one payment for all of it to the success page.',
  states: {
    'cartCheckout.quoting': 'A wait: “Loading your purchase…”.',
    'cartCheckout.readingCards': 'A wait: “Loading your purchase…”.',
    'cartCheckout.ready': (snapshot) =>
      `The titles, each with its price, and the total under the heading “Your purchase”, with ${payButton(snapshot)} and “Back to your cart”; ${snapshot.context.quote?.off === undefined ? '“Discount code (optional)” with “Apply”' : '“Your code is taken off.” with “Remove the code”, and each price before and after it'}${payWith(snapshot)}${snapshot.context.addsTax === true ? '; the tax, which the plan “tax” is about, in place of the total' : ''}.`,
    'cartCheckout.applying': 'The button says “Checking…” and cannot be pressed.',
    'cartCheckout.removing': 'The titles, as they were.',
    'cartCheckout.paying': ({ context: { transId, cardId } }) =>
      `A wait: ${transId !== null ? '“Checking your payment…”' : cardId === null ? '“Taking you to the payment page…”' : '“Paying…”'}; all that may follow is in the plan “payment”.`,
    'cartCheckout.succeeded': 'A wait: “Thank you! Preparing your receipt…”, then the address is that of the success page.',
    'cartCheckout.failed': 'The heading “The payment didn’t go through”, the reason below it, and “Try again”.',
    'cartCheckout.cancelled':
      'The heading “Purchase cancelled”, “You haven’t been charged. Your cart is as it was.” and “Start over”.',
    'cartCheckout.changed': 'The heading “Your cart has changed” and “See the new total”; nothing was charged.',
    'cartCheckout.notFound': 'The heading “We couldn’t find this payment” and “Start over”.',
    'cartCheckout.empty': 'The heading “There’s nothing to pay” and “Back to your cart”.',
    'cartCheckout.unavailable': 'The heading “We can’t start your purchase right now”, the reason below it, and “Try again”.',
  },
  inner: { 'cartCheckout.paying': 'payment' },
  presses: {
    'code.submitted': 'Type a code under “Discount code (optional)” and press “Apply”',
    'code.rejected': 'Press “Apply” without a code',
    'code.removed': 'Press “Remove the code”',
    'pay.pressed': (snapshot) => `Press ${payButton(snapshot)}`,
    'card.chosen': 'Choose a card under “Pay with”',
    'method.chosen': 'Choose “Digital wallet” under “Pay with”',
    'cancel.pressed': 'Press “Back to your cart”',
    'retry.pressed': ({ value }) =>
      `Press “${value === 'changed' ? 'See the new total' : ['cancelled', 'notFound'].includes(value) ? 'Start over' : 'Try again'}”`,
  },
  happens: {
    'tax.told': 'The tax is computed',
    'tax.outdated': 'The tax is computed, and the price turns out to be another by now',
    leave: 'The payment has its page at the gateway',
    'page.returned': 'The customer comes back from the gateway’s page by the browser’s Back',
    'xstate.done.actor.payment': 'The payment ends',
  },
  asks: {
    cartOrder: 'what is in the cart',
    applyCode: 'the cart with what the code takes off',
    removeCode: 'the cart without the code',
    keptCards: 'the cards that the customer has kept',
  },
  effects: {
    keepTax: 'The total with tax is what the button says; without it nothing can be paid.',
    keepFields: 'What is missing stands beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason stands above the code.',
    chooseCard: 'The card is marked; the button says “Pay {total}”, or “Continue to payment” with “Another card”.',
    chooseMethod: 'The wallet is marked; the button says “Continue to payment”.',
    passOn: 'The browser leaves for the gateway’s page.',
    tellPayment: 'The payment is looked up.',
    goCart: 'The cart is shown.',
    goCheckout: 'The address no longer names the earlier payment.',
  },
} satisfies Description<typeof cartCheckoutMachine>;
