import type { SnapshotFrom } from 'xstate';
import { isFree } from '../../../model/price.ts';
import type { giftMachine } from '../../../buying/gift.ts';
import type { Description } from '../../description.ts';

/** What the button below the letter says. */
const payButton = ({ context: { title, cardId, withCredits } }: SnapshotFrom<typeof giftMachine>): string => {
  if (title !== null && isFree(title)) return '“Send the gift”';
  if (withCredits === true) return '“Give it for {credits}”';
  return cardId === null ? '“Continue to payment”' : '“Pay {amount}”';
};

/** What else than the credits may pay. */
const payWith = ({ context: { cards, methods = [] } }: SnapshotFrom<typeof giftMachine>): string => {
  const ways = [
    ...(cards.length > 0 ? ['the kept cards and “Another card”'] : []),
    ...(methods.length > 0 ? [cards.length > 0 ? '“Digital wallet”' : '“Card” and “Digital wallet”'] : []),
  ];
  return ways.length === 0 ? '' : `; under “Pay with” ${ways.join(', and ')}`;
};

/** What is seen first of the payment. */
const paying = ({ context: { title, transId, cardId, withCredits } }: SnapshotFrom<typeof giftMachine>): string => {
  const wait =
    transId !== null
      ? '“Checking your payment…”'
      : withCredits === true || (title !== null && isFree(title))
        ? '“Sending your gift…”'
        : cardId === null
          ? '“Taking you to the payment page…”'
          : '“Paying…”';
  return `A wait: ${wait}; all that may follow is in the plan “payment”.`;
};

export const giftDescription = {
  title: 'Giving a title, or the cart, to somebody',
  about:
    'The pages /title/gift?titleid=… and /cart/gift, from whom the gift is for over the letter as it will look and one payment for it to the success page.',
  states: {
    'gift.quoting': 'A wait: “Preparing your gift…”.',
    'gift.readingCards': 'A wait: “Preparing your gift…”.',
    'gift.readingCredits': 'A wait: “Preparing your gift…”.',
    'gift.writing':
      'The heading “Give as a gift”, the title with its price, or each title of the cart with the total, and “Recipient’s name”, “Recipient’s email address”, “Your message (optional)”, “Day to send it (optional)” and “Preview the email”.',
    'gift.previewing': 'The button says “Preparing the preview…” and cannot be pressed.',
    'gift.checking': (snapshot) =>
      `The heading “Your gift”, the letter as it will look, when it goes out, and ${payButton(snapshot)} and “Change something”${payWith(snapshot)}${snapshot.context.balance === undefined ? '' : '; under “Pay with” the price in credits as well, and how many there are'}${snapshot.context.addsTax === true ? '; the tax, which the plan “tax” is about' : ''}.`,
    'gift.paying': paying,
    'gift.succeeded': 'A wait: “Thank you! Preparing your receipt…”, then the address is that of the success page.',
    'gift.failed': 'The heading “The payment didn’t go through”, the reason below it, and “Try again”.',
    'gift.cancelled':
      'The heading “Your gift hasn’t been sent”, “You haven’t been charged. What you’ve written is still there.” and “Start over”.',
    'gift.priceChanged': ({ context: { ofCart } }) =>
      ofCart
        ? 'The heading “Your cart has changed” and “See the new total”; nothing was charged.'
        : 'The heading “The price has changed” and “See the new price”; nothing was charged.',
    'gift.notOffered': 'The heading “This shop has no gifts” and the way back.',
    'gift.notForSale': ({ context: { ofCart } }) =>
      ofCart
        ? 'The heading “There’s nothing to give” and “Back to your cart”.'
        : 'The heading “Not for sale at the moment” and “Back to the title”.',
    'gift.notFound': 'The heading “We couldn’t find that title” and “Back to the shop”.',
    'gift.unavailable': 'The heading “We can’t prepare your gift right now”, the reason below it, and “Try again”.',
  },
  inner: { 'gift.paying': 'payment' },
  presses: {
    'gift.submitted': 'Fill in a name and an e-mail address, then press “Preview the email”',
    'gift.rejected': 'Press “Preview the email” with an e-mail address that cannot be one',
    'change.pressed': 'Press “Change something”',
    'pay.pressed': (snapshot) => `Press ${payButton(snapshot)}`,
    'card.chosen': 'Choose a card under “Pay with”',
    'credits.chosen': 'Choose the credits under “Pay with”',
    'method.chosen': 'Choose “Digital wallet” under “Pay with”',
    'cancel.pressed': ({ context: { ofCart } }) => `Press “${ofCart ? 'Back to checkout' : 'Back to the title'}” below the form`,
    'retry.pressed': ({ value, context: { ofCart } }) =>
      `Press “${value === 'priceChanged' ? (ofCart ? 'See the new total' : 'See the new price') : value === 'cancelled' ? 'Start over' : 'Try again'}”`,
  },
  happens: {
    'tax.told': 'The tax is computed',
    'tax.outdated': 'The tax is computed, and the price turns out to be another by now',
    leave: 'The payment has its page at the gateway',
    'page.returned': 'The customer comes back from the gateway’s page by the browser’s Back',
    'xstate.done.actor.payment': 'The payment ends',
  },
  asks: {
    giftOffer: 'what can be given and its price',
    creditBalance: 'how many credits there are',
    keptCards: 'the cards that the customer has kept',
    giftLetter: 'the letter as it will look',
  },
  effects: {
    keepTax: 'The total with tax is what the button says; without it nothing can be paid.',
    keepFields: '“This doesn’t look like an email address.” stands beside the field, which has the focus; nothing is sent.',
    keepProblem: 'The reason stands above the form, and what was typed is still there.',
    chooseCard: 'The card is marked; the button says “Pay {amount}”, or “Continue to payment” with “Another card”.',
    chooseCredits: 'The credits are marked; the button says “Give it for {credits}”.',
    chooseMethod: 'The wallet is marked; the button says “Continue to payment”.',
    passOn: 'The browser leaves for the gateway’s page.',
    tellPayment: 'The payment is looked up.',
    goBack: 'The title’s page is shown, or the cart’s checkout.',
    goGift: 'The address no longer names the earlier payment.',
  },
} satisfies Description<typeof giftMachine>;
