import type { Customer } from '../../tools/browser/customer.ts';
import type { ShopperResult, Errand } from './shopper.ts';

/** How often an errand was charged and fulfilled, as the shop and the gateway report afterwards. */
export type Bookings = { charges: number; grants: number };

export type ErrandCase = {
  name: string;
  errand: Errand;
  /** Sets up the data that the customer has before the errand. */
  prepare?: (customer: Customer) => Promise<void>;
  /** Matches the calls of the errand, if its page makes other calls, too. */
  calls?: RegExp;
  countBookings: (customer: Customer) => Promise<Bookings>;
  /** Set if nothing is charged. */
  isFree?: true;
  /** Whether a second purchase is allowed, as a gift to another recipient. */
  mayRepeat?: boolean;
};

const BOOK_ID = '1001';
const SECOND_ID = '1005';
const FREE_ID = '1011';
/** Credits that the demo code grants. */
const DEMO_CREDITS = 3;
/** Price of the book in credits. */
const BOOK_CREDITS = 1;

const readText = async (response: Promise<Response>): Promise<string> => (await response).text();
const countMatches = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length;

const countCopies = async (customer: Customer, titles: readonly string[]): Promise<number> => {
  const owned = await customer.fetchLibrary();
  return owned.filter((titleId) => titles.includes(titleId)).length;
};

/** Saves a card at the gateway by buying another title with it. */
const saveCard = async (customer: Customer): Promise<void> => {
  const session = await customer.startPurchase('1004');
  await customer.submitGatewayForm(session, undefined, { keep: 'yes' });
  const response = await customer.request('purchase/title/confirm', { transactonId: session.transId });
  if (!response.ok) throw new Error(`could not save a card: HTTP ${response.status}`);
};

const countPurchases =
  (titles: readonly string[], chargesBefore = 0) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - chargesBefore,
    grants: (await countCopies(customer, titles)) / titles.length,
  });

const toEvents = (...names: string[]) => names.map((name) => ({ type: name }));
const createBuyEvents = () => toEvents('pay.pressed', 'retry.pressed', 'continue.pressed', 'status.pressed');

const fillCart = async (customer: Customer): Promise<void> => {
  for (const titleId of [BOOK_ID, SECOND_ID]) await customer.request('cart/add', { titleId });
};

const readCredits = async (customer: Customer): Promise<number> =>
  Number(/"CreditBalance":(\d+)/.exec(await readText(customer.request('credits/balance')))?.[1]);

/** Redeems a code of the demo store for credits. */
const redeemCredits = async (customer: Customer): Promise<void> => {
  const { shop, token } = customer;
  const response = await fetch(`${shop.url}/api/redeem/benefit?shelfid=harbour&accesstoken=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: '<RedeemCode><Code>DEMO-CREDITS</Code></RedeemCode>',
  });
  if (!response.ok) throw new Error(`could not get credits: HTTP ${response.status} ${await response.text()}`);
};

/** Counts payments with money and with credits together. */
const countByCreditsOrMoney = async (customer: Customer): Promise<Bookings> => {
  const { charges, grants } = await countPurchases([BOOK_ID])(customer);
  return { charges: charges + ((await readCredits(customer)) < DEMO_CREDITS ? 1 : 0), grants };
};

const giftForm = { name: 'Robin', email: 'robin@example.com', message: '', day: '' };
const createGiftEvents = () => [{ type: 'gift.submitted', pii: { form: giftForm } }, ...createBuyEvents()];
const countGifts =
  (chargesBefore: number) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - chargesBefore,
    grants: countMatches(await readText(customer.request('user/gifts')), /"giftId"/g),
  });

const countSubscriptions =
  (chargesBefore: number) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - chargesBefore,
    grants: countMatches(await readText(customer.request('user/subscription')), /"planId"/g),
  });

/** Events that submit the code until it is applied or refused, and then pay. */
const createCodeEvents = (context: Record<string, unknown>) => {
  const { isReduced, codeProblem } = context as { isReduced: boolean; codeProblem: { code?: string } | null };
  const isCodeSent = isReduced || codeProblem?.code?.startsWith('code_') === true;
  return [...(isCodeSent ? [] : [{ type: 'code.submitted', pii: { form: { code: 'DEMO-20-PERCENT' } } }]), ...createBuyEvents()];
};

/** Counts gifts, and their payments with money and with credits together. */
const countGiftsForCredits = async (customer: Customer): Promise<Bookings> => {
  const { charges, grants } = await countGifts(0)(customer);
  return { charges: charges + (DEMO_CREDITS - (await readCredits(customer))) / BOOK_CREDITS, grants };
};

/** Every way to buy, give or redeem, each up to the completed purchase. */
export const cases: readonly ErrandCase[] = [
  {
    name: 'a title, on the gateway’s page',
    errand: { startPath: `/title/purchase?titleid=${BOOK_ID}`, getNextEvents: createBuyEvents, successStates: ['owned'] },
    countBookings: countPurchases([BOOK_ID]),
  },
  {
    name: 'a title, by a saved card',
    prepare: saveCard,
    errand: { startPath: `/title/purchase?titleid=${BOOK_ID}`, getNextEvents: createBuyEvents, successStates: ['owned'] },
    countBookings: countPurchases([BOOK_ID], 1),
  },
  {
    name: 'a free title',
    isFree: true,
    errand: {
      startPath: `/id:${FREE_ID}`,
      getNextEvents: () => toEvents('buy.pressed', 'retry.pressed'),
      successStates: ['shown.ownership.owned'],
    },
    countBookings: countPurchases([FREE_ID]),
  },
  {
    name: 'a title, for credits',
    prepare: redeemCredits,
    errand: {
      startPath: `/title/purchase?titleid=${BOOK_ID}`,
      getNextEvents: (context) => [...(context['withCredits'] === true ? [] : toEvents('credits.chosen')), ...createBuyEvents()],
      successStates: ['owned'],
    },
    countBookings: countByCreditsOrMoney,
  },
  {
    name: 'a cart, on the gateway’s page',
    prepare: fillCart,
    errand: { startPath: '/cart/checkout', getNextEvents: createBuyEvents, successStates: ['notForSale'] },
    countBookings: countPurchases([BOOK_ID, SECOND_ID]),
  },
  {
    name: 'a cart, by a saved card',
    prepare: async (customer) => {
      await saveCard(customer);
      await fillCart(customer);
    },
    errand: { startPath: '/cart/checkout', getNextEvents: createBuyEvents, successStates: ['notForSale'] },
    countBookings: countPurchases([BOOK_ID, SECOND_ID], 1),
  },
  {
    name: 'a gift, on the gateway’s page',
    mayRepeat: true,
    errand: { startPath: `/title/gift?titleid=${BOOK_ID}`, getNextEvents: createGiftEvents },
    countBookings: countGifts(0),
  },
  {
    name: 'a gift, by a saved card',
    mayRepeat: true,
    prepare: saveCard,
    errand: { startPath: `/title/gift?titleid=${BOOK_ID}`, getNextEvents: createGiftEvents },
    countBookings: countGifts(1),
  },
  {
    name: 'a cart with a code, on the gateway’s page',
    prepare: fillCart,
    errand: { startPath: '/cart/checkout', getNextEvents: createCodeEvents, successStates: ['notForSale'] },
    countBookings: countPurchases([BOOK_ID, SECOND_ID]),
  },
  {
    name: 'a cart as a gift, on the gateway’s page',
    prepare: fillCart,
    errand: { startPath: '/cart/gift', getNextEvents: createGiftEvents, successStates: ['notForSale'] },
    countBookings: countGifts(0),
  },
  {
    name: 'a cart as a gift, by a saved card',
    prepare: async (customer) => {
      await saveCard(customer);
      await fillCart(customer);
    },
    errand: { startPath: '/cart/gift', getNextEvents: createGiftEvents, successStates: ['notForSale'] },
    countBookings: countGifts(1),
  },
  {
    name: 'a gift, for credits',
    mayRepeat: true,
    prepare: redeemCredits,
    errand: {
      startPath: `/title/gift?titleid=${BOOK_ID}`,
      getNextEvents: (context) => [...(context['withCredits'] === true ? [] : toEvents('credits.chosen')), ...createGiftEvents()],
    },
    countBookings: countGiftsForCredits,
  },
  {
    name: 'a subscription, on the gateway’s page',
    errand: {
      startPath: '/subscription/purchase?planid=monthly',
      getNextEvents: createBuyEvents,
      successStates: ['owned', 'succeeded'],
      restartStates: ['notFound', 'notOffered'],
    },
    countBookings: countSubscriptions(0),
  },
  {
    name: 'a subscription, by a saved card',
    prepare: saveCard,
    errand: {
      startPath: '/subscription/purchase?planid=monthly',
      getNextEvents: createBuyEvents,
      successStates: ['owned', 'succeeded'],
      restartStates: ['notFound', 'notOffered'],
    },
    countBookings: countSubscriptions(1),
  },
  {
    name: 'a cancelled subscription, resumed',
    prepare: async (customer) => {
      // Without purchases the page would be empty.
      await customer.buy(SECOND_ID);
      await customer.subscribe('monthly');
      await customer.request('user/subscription/cancel');
    },
    isFree: true,
    calls: /^user\/subscription/,
    errand: { startPath: '/account', getNextEvents: () => toEvents('resume.pressed', 'retry.pressed') },
    countBookings: async (customer) => ({
      charges: (await customer.countCharges()) - 2,
      grants: countMatches(await readText(customer.request('user/subscription')), /"status":"active"/g),
    }),
  },
  {
    name: 'a title, by a code',
    isFree: true,
    errand: {
      startPath: '/redeem/DEMO-TITLE',
      getNextEvents: () => toEvents('redeem.pressed', 'retry.pressed'),
      successStates: ['redeemed', 'owned'],
    },
    countBookings: countPurchases([SECOND_ID]),
  },
];

/**
 * Why an outcome is wrong; null if it is right. Right is one fulfilment, or several of an errand
 * that may repeat, each charged once; a free errand is not charged.
 */
export function findViolation(
  { isFree, mayRepeat }: ErrandCase,
  ending: ShopperResult,
  { charges, grants }: Bookings,
): string | null {
  if (grants === 0) return `nothing was granted; the last screen: ${ending.screen}`;
  if (grants > 1 && mayRepeat !== true) return `granted ${grants} times, expected 1`;
  const expectedCharges = isFree === true ? 0 : grants;
  if (charges !== expectedCharges) return `charged ${charges} times, expected ${expectedCharges}`;
  return null;
}
