import type { SnapshotFrom } from 'xstate';
import { isFreeTitle } from '../../../buying/purchase/context.ts';
import { isGift, isCartPurchase } from '../../../buying/purchase/offer.ts';
import type { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Description } from '../../description.ts';

type Purchase = SnapshotFrom<typeof purchaseMachine>;

/** The text of the button that starts the payment. */
const getPayButton = ({ context }: Purchase): string => {
  const { of, price, cardId, withCredits } = context;
  if (isFreeTitle(context)) return isGift(context) ? '“Send the gift”' : '“Get it for free”';
  if (withCredits) return isGift(context) ? '“Give it for {inCredits}”' : '“Get it for {inCredits}”';
  if (cardId === null || price === null) return '“Continue to payment”';
  return of === 'subscription' ? '“Subscribe”' : '“Pay {amount}”';
};

/** The content of the summary under its heading. */
const describeGoods = ({ context }: Purchase): string =>
  ({
    title: isFreeTitle(context)
      ? 'The title under the heading “Get this title”'
      : 'The title with its price under the heading “Your purchase”',
    cart: 'The titles, each with its price, and the total under the heading “Your purchase”',
    gift: 'The title with its price and the preview of the e-mail, or the shop’s own texts, under the heading “Your gift”',
    cartGift: 'The titles with the total and the preview of the e-mail, or the shop’s own texts, under the heading “Your gift”',
    subscription:
      'The plan’s name and price, and that it renews until the customer cancels it, under the heading “Your subscription”',
  })[context.of];

const getBackLink = ({ context }: Purchase): string =>
  isGift(context)
    ? '“Edit”'
    : isCartPurchase(context)
      ? '“Back to your cart”'
      : context.of === 'subscription'
        ? '“See subscriptions”'
        : '“Back to the title”';

const getCodeEntry = ({ context }: Purchase): string => {
  if (isCartPurchase(context))
    return context.isReduced
      ? '“Your code has been applied.” with “Remove the code”, and each price before and after it'
      : '“Discount code (optional)” with “Apply”';
  return context.isReduced ? '“Remove the code”' : '“Have a code?”';
};

/** The texts about a discount code; empty if none can be used. */
const listCodeTexts = (snapshot: Purchase): string[] => {
  const { context } = snapshot;
  if (isFreeTitle(context) || context.withCredits) return [];
  const problems = context.codeProblem === null ? [] : ['the reason why the code was not applied'];
  return [getCodeEntry(snapshot), ...problems];
};

const listTaxTexts = ({ context }: Purchase): string[] => {
  if (!context.addsTax || isFreeTitle(context) || context.of === 'subscription') return [];
  if (!context.signedIn) return ['“Tax is added to this price. You’ll see it once you’ve signed in, before you pay.”'];
  return context.withCredits ? [] : ['the tax, as in the plan “tax”'];
};

const describeSummary = (snapshot: Purchase): string => {
  const { context } = snapshot;
  const { cards, credits, balance, methods } = context;
  const goodsText = `${describeGoods(snapshot)}, with ${getPayButton(snapshot)} and ${getBackLink(snapshot)}`;
  const extraTexts = [...listCodeTexts(snapshot), ...listTaxTexts(snapshot)];
  const takesCredits = credits !== null && balance?.accepted === true && balance.balance > 0;
  const paymentOptions = [
    ...(cards.length > 0 ? ['the saved cards'] : []),
    ...(methods.length > 0 ? ['“Test wallet”'] : []),
    ...(takesCredits ? ['the credits, with the customer’s balance'] : []),
  ];
  const extraText = extraTexts.length === 0 ? '' : `; before the button ${extraTexts.join(', ')}`;
  return paymentOptions.length === 0 || isFreeTitle(context)
    ? `${goodsText}${extraText}.`
    : `${goodsText}${extraText}; under “Pay with” there are ${paymentOptions.join(', ')}, and “${cards.length > 0 ? 'Another card' : 'Card'}”.`;
};

/** The wait at the start of a payment. */
const describePaying = ({ context }: Purchase): string => {
  const { transId, cardId, withCredits } = context;
  const waitText =
    transId !== null
      ? '“Checking your payment…”'
      : isFreeTitle(context) || withCredits
        ? isGift(context)
          ? '“Sending your gift…”'
          : '“Adding the title to your library…”'
        : cardId === null
          ? '“Taking you to the payment page…”'
          : '“Paying…”';
  return `A wait: ${waitText}; the plan “payment” describes the next steps.`;
};

const describeLoading = ({ context }: Purchase): string =>
  isGift(context)
    ? 'A wait: “Preparing your gift…”.'
    : context.of === 'subscription'
      ? 'A wait: “Loading the subscription…”.'
      : 'A wait: “Loading your purchase…”.';

const getNewPriceButton = ({ context }: Purchase): string =>
  isCartPurchase(context) ? '“See the new total”' : '“See the new price”';

const missingPlanText =
  'The heading “Your subscription”, “We couldn’t find this subscription. It may no longer be offered.” and “See subscriptions”.';

/** The press on the first button of the screen of a purchase that ended without success. */
const describeRetryPress = (snapshot: Purchase): string => {
  const { value } = snapshot;
  if (value === 'priceChanged') return `Press ${getNewPriceButton(snapshot)}`;
  return `Press “${value === 'cancelled' || value === 'paymentNotFound' ? 'Start over' : 'Try again'}”`;
};

const describeCodePress = (context: Purchase['context'], typingInstruction: string): string =>
  isCartPurchase(context)
    ? `${typingInstruction} under “Discount code (optional)”, and press “Apply”`
    : `Press “Have a code?”, ${typingInstruction}, and press “Apply”`;

export const purchaseDescription = {
  title: 'Buying a title, the cart or a plan, or giving it as a gift',
  about:
    'The pages /title/purchase, /cart/checkout, /title/gift, /cart/gift and /subscription/purchase: the goods and their price, for a gift also its form and its e-mail, one payment, then the success page. The payment has its own plan.',
  states: {
    'purchase.quoting': describeLoading,
    'purchase.readingCards': describeLoading,
    'purchase.readingCredits': describeLoading,
    'purchase.writing':
      'The heading “Give as a gift”, the title with its price, or each title of the cart with the total, and “Recipient’s name”, “Recipient’s email address”, “Your message (optional)”, “Delivery date (optional)” and “Preview the email”.',
    'purchase.previewing': 'The button says “Preparing the preview…” and cannot be pressed.',
    'purchase.ready': describeSummary,
    'purchase.applying': 'The summary stays; the button beside the code says “Checking…”.',
    'purchase.removing': 'The summary stays.',
    'purchase.paying': describePaying,
    'purchase.succeeded': ({ context: { of } }) =>
      of === 'subscription'
        ? 'The heading “You’re subscribed.” and “Continue”, until the success page is loaded.'
        : 'A wait: “Thank you! Preparing your receipt…”, then the success page opens.',
    'purchase.failed': ({ context: { of } }) =>
      `The heading ${of === 'subscription' ? '“You haven’t subscribed”' : '“The payment didn’t go through”'}, the reason below it, and “Try again”.`,
    'purchase.cancelled': ({ context }) =>
      isGift(context)
        ? 'The heading “Your gift hasn’t been sent”, “You haven’t been charged. What you’ve written is still there.” and “Start over”.'
        : `The heading “Purchase cancelled”, ${isCartPurchase(context) ? '“You haven’t been charged. Your cart is as it was.”' : '“You haven’t been charged.”'} and “Start over”.`,
    'purchase.priceChanged': (snapshot) =>
      `The heading ${isCartPurchase(snapshot.context) ? '“Your cart has changed”' : '“The price has changed”'} and ${getNewPriceButton(snapshot)}; nothing was charged.`,
    'purchase.paymentNotFound': 'The heading “We couldn’t find this payment” and “Start over”.',
    'purchase.owned': ({ context: { of } }) =>
      of === 'subscription'
        ? 'The heading “You’re already subscribed” and “You haven’t been charged.”.'
        : 'The heading “You already own this title”, “Open now” and “My Library”; there is no “Continue to payment”.',
    'purchase.notOffered': ({ context: { of } }) =>
      of === 'subscription' ? missingPlanText : 'The heading “This shop doesn’t offer gifts” and the way back.',
    'purchase.notForSale': ({ context }) =>
      isCartPurchase(context)
        ? `The heading ${isGift(context) ? '“There’s nothing to give”' : '“There’s nothing to pay”'} and “Back to your cart”.`
        : 'The heading “Not for sale right now” and “Back to the title”; there is no “Continue to payment”.',
    'purchase.notFound': ({ context: { of } }) =>
      of === 'subscription' ? missingPlanText : 'The heading “We couldn’t find that title” and “Back to the shop”.',
    'purchase.unavailable': ({ context }) =>
      `The heading ${isGift(context) ? '“We can’t prepare your gift right now”' : '“We can’t start your purchase right now”'}, the reason below it, and “Try again”.`,
  },
  inner: { 'purchase.paying': 'payment' },
  presses: {
    'gift.submitted': 'Fill in a name and an e-mail address, then press “Preview the email”',
    'gift.rejected': 'Press “Preview the email” with an invalid e-mail address',
    'change.pressed': 'Press “Edit”',
    'pay.pressed': (snapshot) => `Press ${getPayButton(snapshot)}`,
    'card.chosen': 'Choose a card under “Pay with”',
    'credits.chosen': 'Choose the credits under “Pay with”',
    'method.chosen': 'Choose “Test wallet” under “Pay with”',
    'code.submitted': ({ context }) => describeCodePress(context, 'type a code'),
    'code.rejected': ({ context }) => describeCodePress(context, 'type nothing'),
    'code.removed': 'Press “Remove the code”',
    'retry.pressed': describeRetryPress,
    'read.pressed': 'Press “Open now”',
    'continue.pressed': 'Press “Continue”',
  },
  happens: {
    leave: 'The payment leads to the gateway’s page',
    'page.returned': 'The customer comes back from the gateway’s page by the browser’s Back',
    'xstate.done.actor.payment': 'The payment ends',
    'tax.changed': 'The tax is computed',
    'tax.outdated': 'The price has changed when the tax is computed',
  },
  asks: {
    offer: 'the offer and its price',
    savedCards: 'the customer’s saved cards',
    creditBalance: 'the customer’s credit balance',
    applyCode: 'the price with the code',
    removeCode: 'the price without the code',
    giftPreview: 'the preview of the e-mail',
  },
  effects: {
    chooseCard:
      'The card is marked; the button says “Pay {amount}”, for a plan “Subscribe”, or “Continue to payment” with “Another card”.',
    chooseCredits: 'The credits are marked; the button says “Get it for {inCredits}”, or “Give it for {inCredits}”.',
    chooseMethod: 'The wallet is marked; the button says “Continue to payment”.',
    keepTax: 'The buttons show the total with tax; without it they cannot be pressed.',
    keepCodeFields: 'The problem is shown below the field for the code.',
    keepFormFields: '“This doesn’t look like an email address.” is shown beside the field, which has the focus; nothing is sent.',
    requestSignIn: 'The sign-in page opens and leads back to this purchase.',
    forwardEvent: 'The browser leaves for the gateway’s page.',
    sendToPayment: 'The payment is looked up.',
    goToStart: 'The URL names only the goods, no longer the earlier payment.',
    goSuccess: 'The browser requests the success page.',
    goRead: 'The viewer opens the title.',
  },
} satisfies Description<typeof purchaseMachine>;
