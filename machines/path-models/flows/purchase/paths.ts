import { purchaseMachine } from '../../../buying/purchase/purchase.ts';
import type { Context } from '../../../buying/purchase/context.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import { createFlowInput, store, type PathModel } from '../../path-model.ts';
import { preparations } from '../../preparations.ts';
import { parsePath } from '../../route-at.ts';
import { createCases, otherEndings, createTaxCases, createWalletCases } from './cases.ts';
import { purchaseDescription } from './descriptions.ts';
import { credits } from './offers.ts';
import { paymentModels } from './payment-paths.ts';
import { taxModels } from './tax-paths.ts';

/** States that show the outcome of a payment without a charge. */
const endStates = new Set(['failed', 'cancelled', 'priceChanged', 'paymentNotFound']);
/** States in which the gift's form is edited or previewed. */
const giftFormStates = new Set(['writing', 'previewing']);
/** States that show the amount to pay, or load it. */
const summaryStates = new Set([...giftFormStates, 'ready', 'applying', 'removing']);

/** The values that distinguish snapshots: the payment options, the choice, and the outcome. */
const kind: NonNullable<PathModel['kind']> = ({ value: state, context }) => {
  const value = String(state);
  const known = context as Context;
  const { of, title, cart, cards, cardId, credits: costs, balance, withCredits, method, methods, tax } = known;
  const { isReduced, codeProblem, fields, outcome, problem, transId, signedIn, pii } = known;
  const shared = [value, of, signedIn, title?.free, cart?.total === null, transId !== null];
  if (endStates.has(value)) return [...shared, outcome, problem?.kind];
  if (value === 'readingCards' || value === 'readingCredits') return [...shared, costs, cards.length, cardId, problem?.kind];
  if (value === 'paying') return [...shared, cardId, withCredits, method, tax !== null];
  if (!summaryStates.has(value)) return [...shared, problem?.kind];
  const means = [cards.length, costs, balance?.balance, balance?.accepted, methods.length];
  // The choice distinguishes snapshots in which the customer can choose.
  if (giftFormStates.has(value)) return [...shared, means, isReduced, pii.gift === null, problem !== null, Object.keys(fields)];
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

type Start = Parameters<typeof createFlowInput>[1] & { of?: PaidFor; at?: string; cases?: PathModel['cases'] };

const createModel = (
  given: string,
  { of = 'title', at = addresses[of], cases = createCases(of), ...more }: Start,
): PathModel => ({
  name: 'purchase',
  machine: purchaseMachine,
  description: purchaseDescription,
  given,
  input: createFlowInput(parsePath(at), { signedIn: true, ...more }),
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
    `As a visitor, press Pay on the summary of the title 1008 (${preparations.noMoney}), and sign in: the payment goes on by itself.`,
    { resume: 'pay-9.99-USD' },
  ),
  createModel(
    'As a visitor, press Pay on the summary of the title 1005, choose “Français” at the foot of the page, where it costs euros, and sign in: the price has changed.',
    { resume: 'pay-8.50-EUR' },
  ),
  createModel(
    `Signed in, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    {},
  ),
  createModel(
    `Signed in, ${walletInstruction}, open the purchase of a title that is for sale, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
    { cases: createWalletCases('title') },
  ),
  createModel(
    'Signed in, press “Continue to payment” on the summary of a title, and come back from the payment page: /checkout/complete?transId=….',
    {
      at: '/checkout/complete?transId=t1',
      cases: {
        ...createCases('title'),
        'xstate.done.actor.payment': [...(createCases('title')['xstate.done.actor.payment'] ?? []), ...otherEndings],
      },
    },
  ),
  createModel('Open the purchase without a title: /title/purchase.', { at: '/title/purchase' }),
  createModel(
    `Signed in, ${taxInstruction}, open the purchase of a title, ${preparations.noMoney}: /title/purchase?titleid=1008.`,
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
    `As a visitor, ${taxInstruction}, press Pay on the summary of the title 1008 (${preparations.noMoney}), and sign in: the summary comes up again.`,
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
    `Signed in, ${cartInstruction}, press Pay at /cart/checkout while the server no longer knows the session, and sign in again: the summary comes up again.`,
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
    { of: 'cart', at: '/cart/checkout?transId=t1' },
  ),
  createModel(`Signed in, open /title/gift?titleid=1008, a title that is for sale, ${preparations.noMoney}.`, { of: 'gift' }),
  createModel(`Signed in, ${taxInstruction}, open /title/gift?titleid=1008, ${preparations.noMoney}.`, {
    of: 'gift',
    ...storeWithTax,
    cases: createTaxCases('gift'),
  }),
  createModel(`Signed in, ${walletInstruction}, open /title/gift?titleid=1001.`, {
    of: 'gift',
    cases: createWalletCases('gift', { credits }),
  }),
  createModel(
    'Signed in, begin a gift at /title/gift?titleid=1008, press “Continue to payment”, and come back from the payment page: /title/gift?transId=….',
    { of: 'gift', at: '/title/gift?transId=t1' },
  ),
  createModel('Signed in, open /title/gift for no title.', { of: 'gift', at: '/title/gift' }),
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
    'Signed in, begin to give the cart at /cart/gift, press “Continue to payment”, and come back from the payment page: /cart/gift?transId=….',
    { of: 'cartGift', at: '/cart/gift?transId=t1' },
  ),
  createModel('Signed in, open /subscription/purchase?planid=monthly.', { of: 'subscription' }),
  createModel(
    'Signed in, open /subscription/purchase?planid=monthly, press “Continue to payment”, and type 4242 4242 4242 4242 at the payment page, which leads back.',
    { of: 'subscription', at: '/subscription/purchase?planid=monthly&subscriptionid=s1&intentId=pi_1' },
  ),
  createModel('Signed in, open /subscription/purchase without a plan.', { of: 'subscription', at: '/subscription/purchase' }),
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

/** Machines whose start depends on the input are explored from several inputs. */
export const models: PathModel[] = [...purchaseModels, ...taxModels, ...paymentModels];
