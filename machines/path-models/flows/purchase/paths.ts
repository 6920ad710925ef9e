import { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Context } from '../../../buying/purchase/context.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import { flowInput, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { routeAt } from '../../route-at.ts';
import { casesOf, endedElsewise, withTax, withWallet } from './cases.ts';
import { purchaseDescription } from './descriptions.ts';
import { credits } from './offers.ts';
import { paymentModels } from './payment-paths.ts';
import { taxModels } from './tax-paths.ts';

/** States that say how a payment has ended. */
const ends = new Set(['failed', 'cancelled', 'priceChanged', 'paymentNotFound']);
/** The states of a gift whose words are still to be written or shown. */
const isWritten = new Set(['writing', 'previewing']);
/** States that show, or wait beside, what is still to be paid. */
const summaries = new Set([...isWritten, 'ready', 'applying', 'removing']);

/** The parts that tell snapshots apart: the ways to pay, the choice, and the outcome. */
const kind: NonNullable<PathModel['kind']> = ({ value: state, context }) => {
  const value = String(state);
  const known = context as Context;
  const { of, title, cart, cards, cardId, credits: costs, balance, withCredits, method, methods, tax } = known;
  const { isReduced, codeProblem, fields, outcome, problem, transId, signedIn, pii } = known;
  const shared = [value, of, signedIn, title?.free, cart?.total === null, transId !== null];
  if (ends.has(value)) return [...shared, outcome, problem?.kind];
  if (value === 'readingCards' || value === 'readingCredits') return [...shared, costs, cards.length, cardId, problem?.kind];
  if (value === 'paying') return [...shared, cardId, withCredits, method, tax !== null];
  if (!summaries.has(value)) return [...shared, problem?.kind];
  const means = [cards.length, costs, balance?.balance, balance?.accepted, methods.length];
  // The choice tells snapshots apart where the customer can choose.
  if (isWritten.has(value)) return [...shared, means, isReduced, pii.gift === null, problem !== null, Object.keys(fields)];
  const chosen = [cardId, withCredits, method];
  if (value === 'ready') return [...shared, means, chosen, tax !== null, isReduced, codeProblem !== null, Object.keys(fields)];
  return [...shared, means, chosen, isReduced];
};

const addresses: Record<PaidFor, string> = {
  title: '/title/purchase?titleid=1001',
  cart: '/cart/checkout',
  gift: '/title/gift?titleid=1001',
  cartGift: '/cart/gift',
  subscription: '/subscription/purchase?planid=monthly',
};

type Start = Parameters<typeof flowInput>[1] & { of?: PaidFor; at?: string; cases?: PathModel['cases'] };

const start = (given: string, { of = 'title', at = addresses[of], cases = casesOf(of), ...more }: Start): PathModel => ({
  name: 'purchase',
  machine: purchaseMachine,
  description: purchaseDescription,
  given,
  input: flowInput(routeAt(at), { signedIn: true, ...more }),
  cases,
  kind,
});

const taxing = { store: { ...store, enableTax: true } };
const inCart = 'with the titles 1008 and 1009 in the cart';
const addingTax = `in a store that adds tax to its prices ${preparations.taxes}`;
const takingWallets = 'in a shop whose gateway takes digital wallets as well';

const purchaseModels: PathModel[] = [
  start('As a visitor, open the purchase of a title that is for sale: /title/purchase?titleid=1008.', { signedIn: false }),
  start(
    `As a visitor, press Pay on the summary of the title 1008 (${preparations.noMoney}), and sign in: the payment goes on by itself.`,
    { resume: 'pay-9.99-USD' },
  ),
  start(
    'As a visitor, press Pay on the summary of the title 1005, choose “Français” at the foot of the page, where it costs euros, and sign in: the price has changed.',
    { resume: 'pay-8.50-EUR' },
  ),
  start(`Signed in, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`, {}),
  start(
    `Signed in, ${takingWallets}, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    { cases: withWallet('title') },
  ),
  start(
    'Signed in, press “Continue to payment” on the summary of a title, and come back from the payment page: /checkout/complete?transId=….',
    {
      at: '/checkout/complete?transId=t1',
      cases: {
        ...casesOf('title'),
        'xstate.done.actor.payment': [...(casesOf('title')['xstate.done.actor.payment'] ?? []), ...endedElsewise],
      },
    },
  ),
  start('Open the purchase without a title: /title/purchase.', { at: '/title/purchase' }),
  start(`Signed in, ${addingTax}, open the purchase of a title, ${preparations.noMoney}: /title/purchase?titleid=1008.`, {
    ...taxing,
    cases: withTax('title'),
  }),
  start(`As a visitor, ${addingTax}, open the purchase of a title: /title/purchase?titleid=1008.`, {
    ...taxing,
    signedIn: false,
  }),
  start(
    `As a visitor, ${addingTax}, press Pay on the summary of the title 1008 (${preparations.noMoney}), and sign in: the summary comes up again.`,
    { ...taxing, resume: 'choose', cases: withTax('title') },
  ),
  start(
    'Signed in, open the purchase of a title in a store that sells no titles (ShowBuyTitle off): /title/purchase?titleid=1001.',
    {
      store: { ...store, showBuyTitle: false },
    },
  ),
  start(`Signed in, ${inCart}, open /cart/checkout.`, { of: 'cart' }),
  start(`Signed in, ${inCart}, open /cart/checkout of a store that sells no titles (ShowBuyTitle off).`, {
    of: 'cart',
    store: { ...store, showBuyTitle: false },
  }),
  start(
    `Signed in, ${inCart}, press Pay at /cart/checkout while the server no longer knows the session, and sign in again: the summary comes up again.`,
    { of: 'cart', resume: 'choose' },
  ),
  start(`Signed in, ${addingTax}, ${inCart}, open /cart/checkout.`, { of: 'cart', ...taxing, cases: withTax('cart') }),
  start(`Signed in, ${takingWallets}, ${inCart}, open /cart/checkout.`, { of: 'cart', cases: withWallet('cart') }),
  start(
    'Signed in, with a title in the cart, press “Continue to payment” at its checkout, and come back from the payment page: /cart/checkout?transId=….',
    { of: 'cart', at: '/cart/checkout?transId=t1' },
  ),
  start(`Signed in, open /title/gift?titleid=1008, a title that is for sale, ${preparations.noMoney}.`, { of: 'gift' }),
  start(`Signed in, ${addingTax}, open /title/gift?titleid=1008, ${preparations.noMoney}.`, {
    of: 'gift',
    ...taxing,
    cases: withTax('gift'),
  }),
  start(`Signed in, ${takingWallets}, open /title/gift?titleid=1001.`, { of: 'gift', cases: withWallet('gift', { credits }) }),
  start(
    'Signed in, begin a gift at /title/gift?titleid=1008, press “Continue to payment”, and come back from the payment page: /title/gift?transId=….',
    { of: 'gift', at: '/title/gift?transId=t1' },
  ),
  start('Signed in, open /title/gift for no title.', { of: 'gift', at: '/title/gift' }),
  start('Signed in, open /title/gift?titleid=1001 of a store that has no gifts (EnableGiftingTitle off).', {
    of: 'gift',
    store: { ...store, enableGiftingTitle: false },
  }),
  start(`Signed in, ${inCart}, open /cart/gift.`, { of: 'cartGift' }),
  start(`Signed in, ${addingTax}, ${inCart}, open /cart/gift.`, { of: 'cartGift', ...taxing, cases: withTax('cartGift') }),
  start(`Signed in, ${takingWallets}, ${inCart}, open /cart/gift.`, { of: 'cartGift', cases: withWallet('cartGift') }),
  start(
    'Signed in, begin to give the cart at /cart/gift, press “Continue to payment”, and come back from the payment page: /cart/gift?transId=….',
    { of: 'cartGift', at: '/cart/gift?transId=t1' },
  ),
  start('Signed in, open /subscription/purchase?planid=monthly.', { of: 'subscription' }),
  start(
    'Signed in, open /subscription/purchase?planid=monthly, press “Continue to payment”, and type 4242 4242 4242 4242 at the payment page, which leads back.',
    { of: 'subscription', at: '/subscription/purchase?planid=monthly&subscriptionid=s1&intentId=pi_1' },
  ),
  start('Signed in, open /subscription/purchase without a plan.', { of: 'subscription', at: '/subscription/purchase' }),
  start('Signed in, open /title/gift?titleid=1001 of a store that sells no titles (ShowBuyTitle off).', {
    of: 'gift',
    store: { ...store, showBuyTitle: false },
  }),
  start('Signed in, open /subscription/purchase?planid=monthly of a store that sells no titles (ShowBuyTitle off).', {
    of: 'subscription',
    store: { ...store, showBuyTitle: false },
  }),
  start('Signed in, open /subscription/purchase?planid=monthly of a store that has no subscriptions (EnableSubscription off).', {
    of: 'subscription',
    store: { ...store, enableSubscription: false },
  }),
];

/** A machine that starts differently for different inputs is explored from each of them. */
export const models: PathModel[] = [...purchaseModels, ...taxModels, ...paymentModels];
