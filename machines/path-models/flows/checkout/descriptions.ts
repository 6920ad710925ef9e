import type { SnapshotFrom } from 'xstate';
import { isFree } from '../../../model/price.ts';
import type { checkoutMachine } from '../../../buying/checkout.ts';
import type { paymentMachine } from '../../../buying/payment.ts';
import type { Description } from '../../description.ts';

type Checkout = SnapshotFrom<typeof checkoutMachine>;

/** What the button of the summary says. */
const payButton = ({ context: { title, cardId, withCredits } }: Checkout): string => {
  if (title !== null && isFree(title)) return '“Get it for free”';
  if (withCredits === true) return '“Get it for {inCredits}”';
  return cardId === null ? '“Continue to payment”' : '“Pay {price}”';
};

const summary = (snapshot: Checkout): string => {
  const { title, cards, balance, methods = [] } = snapshot.context;
  const isForNothing = title !== null && isFree(title);
  const first = `The summary with its price under the heading ${isForNothing ? '“Get this title”' : '“Your purchase”'}, with ${payButton(snapshot)} and “Cancel”`;
  const more = [
    ...(isForNothing ? [] : [snapshot.context.isReduced === true ? '“Remove the code”' : '“Have a code?”']),
    ...(snapshot.context.codeProblem ? ['why the code was not taken'] : []),
    ...(snapshot.context.addsTax !== true || isForNothing
      ? []
      : [
          snapshot.context.signedIn
            ? 'the tax, which the plan “tax” is about'
            : '“Tax is added to this price. You’ll see it once you’ve signed in, before you pay.”',
        ]),
  ];
  const ways = [
    ...(cards.length > 0 ? ['the kept cards'] : []),
    ...(methods.length > 0 && !isForNothing ? ['“Digital wallet”'] : []),
    ...(balance === undefined ? [] : ['the credits, with how many the customer has']),
  ];
  const rest = more.length === 0 ? '' : `; below the price ${more.join(', ')}`;
  return ways.length === 0
    ? `${first}${rest}.`
    : `${first}${rest}; under “Pay with” there are ${ways.join(', ')}, and “${cards.length > 0 ? 'Another card' : 'Card'}”.`;
};

/** What is seen first of the payment. */
const paying = ({ context: { title, transId, cardId, withCredits } }: Checkout): string => {
  const wait =
    transId !== null
      ? '“Checking your payment…”'
      : (title !== null && isFree(title)) || withCredits === true
        ? '“Adding the title to your library…”'
        : cardId === null
          ? '“Taking you to the payment page…”'
          : '“Paying…”';
  return `A wait: ${wait}; all that may follow is in the plan “payment”.`;
};

/** The first button below the message of a purchase that was not made. */
const again = ({ value }: Checkout): string =>
  `Press “${value === 'priceChanged' ? 'See the new price' : value === 'cancelled' ? 'Start over' : 'Try again'}”`;

export const checkoutDescription = {
  title: 'Buying one title',
  about: 'From the summary of a purchase over the payment to the success page. The payment itself has a plan of its own.',
  states: {
    'checkout.quoting': 'A wait: “Loading your purchase…”.',
    'checkout.readingCards': 'A wait: “Loading your purchase…”.',
    'checkout.readingCredits': 'A wait: “Loading your purchase…”.',
    'checkout.ready': summary,
    'checkout.applying': 'The summary stays; the button beside the code says “Checking…”.',
    'checkout.removing': 'The summary stays.',
    'checkout.paying': paying,
    'checkout.succeeded': 'A wait: “Thank you! Preparing your receipt…”, then the address is that of the success page.',
    'checkout.failed': 'The heading “The payment didn’t go through”, the reason below it, and “Try again”.',
    'checkout.cancelled': 'The heading “Purchase cancelled”, “You haven’t been charged.” and “Start over”.',
    'checkout.priceChanged': 'The heading “The price has changed” and “See the new price”; nothing was charged.',
    'checkout.owned': 'The heading “You already own this title”, “Open now” and “My Library”; there is no “Continue to payment”.',
    'checkout.notForSale': 'The heading “Not for sale at the moment” and “Back to the title”; there is no “Continue to payment”.',
    'checkout.notFound': 'The heading “We couldn’t find that title” and “Back to the shop”.',
    'checkout.unavailable': 'The heading “We can’t start your purchase right now”, the reason below it, and “Try again”.',
  },
  inner: { 'checkout.paying': 'payment' },
  presses: {
    'pay.pressed': (snapshot) => `Press ${payButton(snapshot)}`,
    'card.chosen': 'Choose a card under “Pay with”',
    'credits.chosen': 'Choose the credits under “Pay with”',
    'method.chosen': 'Choose “Digital wallet” under “Pay with”',
    'code.submitted': 'Press “Have a code?”, type the code, and press “Apply”',
    'code.rejected': 'Press “Have a code?”, and press “Apply” without a code',
    'code.removed': 'Press “Remove the code”',
    'cancel.pressed': 'Press “Cancel”',
    'retry.pressed': again,
    'read.pressed': 'Press “Open now”',
  },
  happens: {
    leave: 'The payment has its page at the gateway',
    'page.returned': 'The customer comes back from the gateway’s page by the browser’s Back',
    'xstate.done.actor.payment': 'The payment ends',
    'tax.told': 'The tax is computed',
    'tax.outdated': 'The tax is computed, and the price turns out to be another by now',
  },
  asks: {
    quote: 'the title and its price',
    keptCards: 'the cards that the customer has kept',
    creditBalance: 'how many credits the customer has',
    applyCode: 'what the code leaves of the price',
    removeCode: 'the price without the code',
  },
  effects: {
    chooseCard: 'The card is marked; the button says “Pay {price}”, or “Continue to payment” with “Another card”.',
    chooseCredits: 'The credits are marked; the button says “Get it for {inCredits}”.',
    chooseMethod: 'The wallet is marked; the button says “Continue to payment”.',
    keepTax: 'The total with tax is what the buttons say; without it they cannot be pressed.',
    keepFields: 'Below the field for the code it says what is wrong.',
    askSignIn: 'The sign-in page comes up and leads back to this purchase.',
    passOn: 'The browser leaves for the gateway’s page.',
    tellPayment: 'The payment is looked up.',
    goPurchase: 'The address names the title only, no longer the earlier payment.',
    goRead: 'The viewer opens the title.',
  },
} satisfies Description<typeof checkoutMachine>;

export const paymentDescription = {
  title: 'Paying for an order',
  about:
    'What the checkout shows while it is “paying”. Whatever gets lost, nobody is charged twice: count the charges in the gateway’s list of charges at the end of each test.',
  states: {
    'payment.submitting': ({ context }) =>
      context.free || context.credits !== undefined
        ? `A wait: ${context.gift ? '“Sending your gift…”' : '“Adding the title to your library…”'}.`
        : 'A wait: “Taking you to the payment page…”.',
    'payment.charging': 'A wait: “Paying…”.',
    'payment.unreachable': 'The heading “The shop can’t be reached”, “You haven’t been charged.”, with “Try again” and “Cancel”.',
    'payment.actionRequired':
      'The gateway’s page; behind it, by Back, the heading “Complete your payment” with “Continue to payment”, “I’ve already paid” and “Cancel”.',
    'payment.cancelling': 'A wait: “Checking your payment…” or “One moment…”.',
    'payment.confirming': 'A wait: “Confirming your payment…”.',
    'payment.unknown': 'The heading “We don’t know yet whether your payment went through”, with “Check again”.',
    'payment.reconciling': 'A wait: “Checking your payment…”.',
    'payment.succeeded': 'The payment ends well: the checkout goes to the success page.',
    'payment.failed': 'The payment ends: the checkout says “The payment didn’t go through”.',
    'payment.cancelled': 'The payment ends: the checkout says “Purchase cancelled”.',
    'payment.priceChanged': 'The payment ends: the checkout says “The price has changed”.',
    'payment.owned': 'The payment ends: the checkout fetches the title again and says “You already own this title”.',
    'payment.none': 'The payment ends without one: the checkout fetches the title and its price again.',
    'payment.notFound': 'The payment ends: the checkout says “We couldn’t find that title”.',
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
    payByCard: 'its word what has become of the payment by the card that was kept',
    confirmPayment: 'the confirmation that the payment is taken and the title granted',
    statusBeforeCancel: 'its word where the payment stands',
    paymentStatus: 'its word where the payment stands',
  },
  effects: { goPay: 'The browser leaves for the gateway’s page.' },
} satisfies Description<typeof paymentMachine>;
