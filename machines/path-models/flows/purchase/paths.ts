import { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Context } from '../../../buying/purchase/context.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import { createFlowInput, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { parsePath } from '../../route-at.ts';
import { createCases, otherPurposeCases, createTaxCases, createWalletCases } from './cases.ts';
import { purchaseDescription } from './descriptions.ts';
import { credits } from './offers.ts';
import { paymentModels } from './payment-paths.ts';
import { taxModels } from './tax-paths.ts';

/** States that show that a payment ended without a charge. */
const endStates = new Set(['failed', 'cancelled', 'priceChanged', 'paymentNotFound']);
/** States in which the gift's form is edited or previewed. */
const giftFormStates = new Set(['writing', 'previewing']);
/** States that show the amount to pay, or load it. */
const summaryStates = new Set([...giftFormStates, 'ready', 'applying', 'removing']);

/** The values that distinguish snapshots: payment options, choice among them, and outcome. */
const kind: NonNullable<PathModel['kind']> = ({ value: stateValue, context }) => {
  const value = String(stateValue);
  const purchase = context as Context;
  const { of, title, cart, cards, cardId, credits: creditsPrice, balance, withCredits, method, methods, tax } = purchase;
  const { isReduced, codeProblem, fields, outcome, problem, transId, signedIn, pii } = purchase;
  const sharedValues = [value, of, signedIn, title?.free, cart?.total === null, transId !== null];
  if (endStates.has(value)) return [...sharedValues, outcome, problem?.kind];
  if (value === 'readingCards' || value === 'readingCredits')
    return [...sharedValues, creditsPrice, cards.length, cardId, problem?.kind];
  if (value === 'paying') return [...sharedValues, cardId, withCredits, method, tax !== null];
  if (!summaryStates.has(value)) return [...sharedValues, problem?.kind];
  const paymentOptions = [cards.length, creditsPrice, balance?.balance, balance?.accepted, methods.length];
  // Without the choice of an option, which the form of a gift does not show.
  if (giftFormStates.has(value))
    return [...sharedValues, paymentOptions, isReduced, pii.gift === null, problem !== null, Object.keys(fields)];
  const choice = [cardId, withCredits, method];
  if (value === 'ready')
    return [...sharedValues, paymentOptions, choice, tax !== null, isReduced, codeProblem !== null, Object.keys(fields)];
  return [...sharedValues, paymentOptions, choice, isReduced];
};

const startPaths: Record<PaidFor, string> = {
  title: '/title/purchase?titleid=1001',
  cart: '/cart/checkout',
  gift: '/title/gift?titleid=1001',
  cartGift: '/cart/gift',
  subscription: '/subscription/purchase?planid=monthly',
};

type ModelOptions = Parameters<typeof createFlowInput>[1] & { of?: PaidFor; path?: string; cases?: PathModel['cases'] };

const createModel = (
  startInstruction: string,
  { of = 'title', path = startPaths[of], cases = createCases(of), ...inputOverrides }: ModelOptions,
): PathModel => ({
  name: 'purchase',
  machine: purchaseMachine,
  description: purchaseDescription,
  startInstruction,
  input: createFlowInput(parsePath(path), { signedIn: true, ...inputOverrides }),
  cases,
  kind,
});

const storeWithTax = { store: { ...store, enableTax: true } };
const cartInstruction = 'with the titles 1008 and 1009 in the cart';
const taxInstruction = `in a store that adds tax to its prices ${preparations.taxes}`;
const walletInstruction = 'in a shop whose gateway takes digital wallets as well';

const purchaseModels: PathModel[] = [
  createModel('As a visitor, open the purchase of a title that is for sale: /title/purchase?titleid=1008.', { signedIn: false }),
  createModel(
    `As a visitor, press Pay on the summary of the title 1008 (${preparations.withoutCredits}), and sign in: the payment starts without another press.`,
    { resume: 'pay-9.99-USD' },
  ),
  createModel(
    'As a visitor, press Pay on the summary of the title 1005, choose “Français” in the footer, so that the price is in euros, and sign in: the price has changed.',
    { resume: 'pay-8.50-EUR' },
  ),
  createModel(
    `Signed in, open the purchase of a title that is for sale, ${preparations.withoutCredits}: /title/purchase?titleid=1008.`,
    {},
  ),
  createModel(
    `Signed in, ${walletInstruction}, open the purchase of a title that is for sale, ${preparations.withoutCredits}: /title/purchase?titleid=1008.`,
    { cases: createWalletCases('title') },
  ),
  createModel(
    'Signed in, press “Continue to payment” on the summary of a title, and come back from the payment page: /checkout/complete?transId=….',
    {
      path: '/checkout/complete?transId=t1',
      cases: {
        ...createCases('title'),
        'xstate.done.actor.payment': [...(createCases('title')['xstate.done.actor.payment'] ?? []), ...otherPurposeCases],
      },
    },
  ),
  createModel('Open the purchase without a title: /title/purchase.', { path: '/title/purchase' }),
  createModel(
    `Signed in, ${taxInstruction}, open the purchase of a title, ${preparations.withoutCredits}: /title/purchase?titleid=1008.`,
    {
      ...storeWithTax,
      cases: createTaxCases('title'),
    },
  ),
  createModel(`As a visitor, ${taxInstruction}, open the purchase of a title: /title/purchase?titleid=1008.`, {
    ...storeWithTax,
    signedIn: false,
  }),
  createModel(
    `As a visitor, ${taxInstruction}, press Pay on the summary of the title 1008 (${preparations.withoutCredits}), and sign in: the summary is shown again.`,
    { ...storeWithTax, resume: 'choose', cases: createTaxCases('title') },
  ),
  createModel(
    'Signed in, open the purchase of a title in a store that sells no titles (ShowBuyTitle off): /title/purchase?titleid=1001.',
    {
      store: { ...store, showBuyTitle: false },
    },
  ),
  createModel(`Signed in, ${cartInstruction}, open /cart/checkout.`, { of: 'cart' }),
  createModel(`Signed in, ${cartInstruction}, open /cart/checkout of a store that sells no titles (ShowBuyTitle off).`, {
    of: 'cart',
    store: { ...store, showBuyTitle: false },
  }),
  createModel(
    `Signed in, ${cartInstruction}, press Pay at /cart/checkout while the server no longer knows the session, and sign in again: the summary is shown again.`,
    { of: 'cart', resume: 'choose' },
  ),
  createModel(`Signed in, ${taxInstruction}, ${cartInstruction}, open /cart/checkout.`, {
    of: 'cart',
    ...storeWithTax,
    cases: createTaxCases('cart'),
  }),
  createModel(`Signed in, ${walletInstruction}, ${cartInstruction}, open /cart/checkout.`, {
    of: 'cart',
    cases: createWalletCases('cart'),
  }),
  createModel(
    'Signed in, with a title in the cart, press “Continue to payment” at its checkout, and come back from the payment page: /cart/checkout?transId=….',
    { of: 'cart', path: '/cart/checkout?transId=t1' },
  ),
  createModel(`Signed in, open /title/gift?titleid=1008, a title that is for sale, ${preparations.withoutCredits}.`, {
    of: 'gift',
  }),
  createModel(`Signed in, ${taxInstruction}, open /title/gift?titleid=1008, ${preparations.withoutCredits}.`, {
    of: 'gift',
    ...storeWithTax,
    cases: createTaxCases('gift'),
  }),
  createModel(`Signed in, ${walletInstruction}, open /title/gift?titleid=1001.`, {
    of: 'gift',
    cases: createWalletCases('gift', { credits }),
  }),
  createModel(
    'Signed in, start a gift at /title/gift?titleid=1008, press “Continue to payment”, and come back from the payment page: /title/gift?transId=….',
    { of: 'gift', path: '/title/gift?transId=t1' },
  ),
  createModel('Signed in, open /title/gift without a title.', { of: 'gift', path: '/title/gift' }),
  createModel('Signed in, open /title/gift?titleid=1001 of a store that has no gifts (EnableGiftingTitle off).', {
    of: 'gift',
    store: { ...store, enableGiftingTitle: false },
  }),
  createModel(`Signed in, ${cartInstruction}, open /cart/gift.`, { of: 'cartGift' }),
  createModel(`Signed in, ${taxInstruction}, ${cartInstruction}, open /cart/gift.`, {
    of: 'cartGift',
    ...storeWithTax,
    cases: createTaxCases('cartGift'),
  }),
  createModel(`Signed in, ${walletInstruction}, ${cartInstruction}, open /cart/gift.`, {
    of: 'cartGift',
    cases: createWalletCases('cartGift'),
  }),
  createModel(
    'Signed in, start to give the cart at /cart/gift, press “Continue to payment”, and come back from the payment page: /cart/gift?transId=….',
    { of: 'cartGift', path: '/cart/gift?transId=t1' },
  ),
  createModel('Signed in, open /subscription/purchase?planid=monthly.', { of: 'subscription' }),
  createModel(
    'Signed in, open /subscription/purchase?planid=monthly, press “Continue to payment”, and type 4242 4242 4242 4242 at the payment page, which leads back to the shop.',
    { of: 'subscription', path: '/subscription/purchase?planid=monthly&subscriptionid=s1&intentId=pi_1' },
  ),
  createModel('Signed in, open /subscription/purchase without a plan.', { of: 'subscription', path: '/subscription/purchase' }),
  createModel('Signed in, open /title/gift?titleid=1001 of a store that sells no titles (ShowBuyTitle off).', {
    of: 'gift',
    store: { ...store, showBuyTitle: false },
  }),
  createModel('Signed in, open /subscription/purchase?planid=monthly of a store that sells no titles (ShowBuyTitle off).', {
    of: 'subscription',
    store: { ...store, showBuyTitle: false },
  }),
  createModel(
    'Signed in, open /subscription/purchase?planid=monthly of a store that has no subscriptions (EnableSubscription off).',
    {
      of: 'subscription',
      store: { ...store, enableSubscription: false },
    },
  ),
];

/** One model for each input that changes the start of a machine. */
export const models: PathModel[] = [...purchaseModels, ...taxModels, ...paymentModels];
