import type { Customer } from '../../tools/browser/customer.ts';
import type { ShopperResult, Errand } from './shopper.ts';

/** How often an errand was charged and fulfilled, as the shop and the gateway report afterwards. */
export type Bookings = { charges: number; given: number };

export type ErrandCase = {
  name: string;
  errand: Errand;
  /** Sets up the data that the customer has before the errand. */
  prepare?: (customer: Customer) => Promise<void>;
  /** Calls that belong to the errand, where its page makes others, too. */
  calls?: RegExp;
  booked: (customer: Customer) => Promise<Bookings>;
  /** Free: nothing is charged for it. */
  isFree?: true;
  /** A second purchase is allowed: it is a gift to another recipient. */
  mayRepeat?: boolean;
};

const BOOK_TITLE = '1001';
const SECOND_TITLE = '1005';
const FREE_TITLE = '1011';
/** Credits that the demo code grants. */
const DEMO_CREDITS = 3;
/** Price of the book in credits. */
const BOOK_CREDITS = 1;

const readText = async (answer: Promise<Response>): Promise<string> => (await answer).text();
const countMatches = (found: string, what: RegExp): number => [...found.matchAll(what)].length;

const countCopies = async (customer: Customer, titles: readonly string[]): Promise<number> => {
  const owned = await customer.fetchLibrary();
  return owned.filter((titleId) => titles.includes(titleId)).length;
};

/** Saves a card at the gateway by buying another title with it. */
const saveCard = async (customer: Customer): Promise<void> => {
  const session = await customer.startPurchase('1004');
  await customer.submitGatewayForm(session, undefined, { keep: 'yes' });
  const answer = await customer.request('purchase/title/confirm', { transactonId: session.transId });
  if (!answer.ok) throw new Error(`could not save a card: HTTP ${answer.status}`);
};

const countBought =
  (titles: readonly string[], before = 0) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - before,
    given: (await countCopies(customer, titles)) / titles.length,
  });

const toEvents = (...names: string[]) => names.map((name) => ({ type: name }));
const buyEvents = () => toEvents('pay.pressed', 'retry.pressed', 'continue.pressed', 'status.pressed');

const fillCart = async (customer: Customer): Promise<void> => {
  for (const titleId of [BOOK_TITLE, SECOND_TITLE]) await customer.request('cart/add', { titleId });
};

const readCredits = async (customer: Customer): Promise<number> =>
  Number(/"CreditBalance":(\d+)/.exec(await readText(customer.request('credits/balance')))?.[1]);

/** Redeems a code of the demo store for credits. */
const grantCredits = async (customer: Customer): Promise<void> => {
  const { shop, token } = customer;
  const answer = await fetch(`${shop.url}/api/redeem/benefit?shelfid=harbour&accesstoken=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: '<RedeemCode><Code>DEMO-CREDITS</Code></RedeemCode>',
  });
  if (!answer.ok) throw new Error(`could not get credits: HTTP ${answer.status} ${await answer.text()}`);
};

/** For money or for credits: once by either. */
const countByCreditsOrMoney = async (customer: Customer): Promise<Bookings> => {
  const { charges, given } = await countBought([BOOK_TITLE])(customer);
  return { charges: charges + ((await readCredits(customer)) < DEMO_CREDITS ? 1 : 0), given };
};

const giftForm = { name: 'Robin', email: 'robin@example.com', message: '', day: '' };
const giveEvents = () => [{ type: 'gift.submitted', pii: { form: giftForm } }, ...buyEvents()];
const countGiven =
  (before: number) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - before,
    given: countMatches(await readText(customer.request('user/gifts')), /"giftId"/g),
  });

const countSubscribed =
  (before: number) =>
  async (customer: Customer): Promise<Bookings> => ({
    charges: (await customer.countCharges()) - before,
    given: countMatches(await readText(customer.request('user/subscription')), /"planId"/g),
  });

/** Types the code until it is applied or refused. */
const codeEvents = (context: Record<string, unknown>) => {
  const { isReduced, codeProblem } = context as { isReduced: boolean; codeProblem: { code?: string } | null };
  const isTyped = isReduced || codeProblem?.code?.startsWith('code_') === true;
  return [...(isTyped ? [] : [{ type: 'code.submitted', pii: { form: { code: 'DEMO-20-PERCENT' } } }]), ...buyEvents()];
};

/** A gift that is paid for with credits or money. */
const countGivenForCredits = async (customer: Customer): Promise<Bookings> => {
  const { charges, given } = await countGiven(0)(customer);
  return { charges: charges + (DEMO_CREDITS - (await readCredits(customer))) / BOOK_CREDITS, given };
};

/** Every way to buy, give or redeem, each up to its end. */
export const cases: readonly ErrandCase[] = [
  {
    name: 'a title, on the gateway’s page',
    errand: { address: `/title/purchase?titleid=${BOOK_TITLE}`, presses: buyEvents, successStates: ['owned'] },
    booked: countBought([BOOK_TITLE]),
  },
  {
    name: 'a title, by a kept card',
    prepare: saveCard,
    errand: { address: `/title/purchase?titleid=${BOOK_TITLE}`, presses: buyEvents, successStates: ['owned'] },
    booked: countBought([BOOK_TITLE], 1),
  },
  {
    name: 'a free title',
    isFree: true,
    errand: {
      address: `/id:${FREE_TITLE}`,
      presses: () => toEvents('buy.pressed', 'retry.pressed'),
      successStates: ['shown.ownership.owned'],
    },
    booked: countBought([FREE_TITLE]),
  },
  {
    name: 'a title, for credits',
    prepare: grantCredits,
    errand: {
      address: `/title/purchase?titleid=${BOOK_TITLE}`,
      presses: (context) => [...(context['withCredits'] === true ? [] : toEvents('credits.chosen')), ...buyEvents()],
      successStates: ['owned'],
    },
    booked: countByCreditsOrMoney,
  },
  {
    name: 'a cart, on the gateway’s page',
    prepare: fillCart,
    errand: { address: '/cart/checkout', presses: buyEvents, successStates: ['notForSale'] },
    booked: countBought([BOOK_TITLE, SECOND_TITLE]),
  },
  {
    name: 'a cart, by a kept card',
    prepare: async (customer) => {
      await saveCard(customer);
      await fillCart(customer);
    },
    errand: { address: '/cart/checkout', presses: buyEvents, successStates: ['notForSale'] },
    booked: countBought([BOOK_TITLE, SECOND_TITLE], 1),
  },
  {
    name: 'a gift, on the gateway’s page',
    mayRepeat: true,
    errand: { address: `/title/gift?titleid=${BOOK_TITLE}`, presses: giveEvents },
    booked: countGiven(0),
  },
  {
    name: 'a gift, by a kept card',
    mayRepeat: true,
    prepare: saveCard,
    errand: { address: `/title/gift?titleid=${BOOK_TITLE}`, presses: giveEvents },
    booked: countGiven(1),
  },
  {
    name: 'a cart with a code, on the gateway’s page',
    prepare: fillCart,
    errand: { address: '/cart/checkout', presses: codeEvents, successStates: ['notForSale'] },
    booked: countBought([BOOK_TITLE, SECOND_TITLE]),
  },
  {
    name: 'a cart as a gift, on the gateway’s page',
    prepare: fillCart,
    errand: { address: '/cart/gift', presses: giveEvents, successStates: ['notForSale'] },
    booked: countGiven(0),
  },
  {
    name: 'a cart as a gift, by a kept card',
    prepare: async (customer) => {
      await saveCard(customer);
      await fillCart(customer);
    },
    errand: { address: '/cart/gift', presses: giveEvents, successStates: ['notForSale'] },
    booked: countGiven(1),
  },
  {
    name: 'a gift, for credits',
    mayRepeat: true,
    prepare: grantCredits,
    errand: {
      address: `/title/gift?titleid=${BOOK_TITLE}`,
      presses: (context) => [...(context['withCredits'] === true ? [] : toEvents('credits.chosen')), ...giveEvents()],
    },
    booked: countGivenForCredits,
  },
  {
    name: 'a subscription, on the gateway’s page',
    errand: {
      address: '/subscription/purchase?planid=monthly',
      presses: buyEvents,
      successStates: ['owned', 'succeeded'],
      restartStates: ['notFound', 'notOffered'],
    },
    booked: countSubscribed(0),
  },
  {
    name: 'a subscription, by a kept card',
    prepare: saveCard,
    errand: {
      address: '/subscription/purchase?planid=monthly',
      presses: buyEvents,
      successStates: ['owned', 'succeeded'],
      restartStates: ['notFound', 'notOffered'],
    },
    booked: countSubscribed(1),
  },
  {
    name: 'a cancelled subscription, taken up again',
    prepare: async (customer) => {
      // Without purchases the page would be empty.
      await customer.buy(SECOND_TITLE);
      await customer.subscribe('monthly');
      await customer.request('user/subscription/cancel');
    },
    isFree: true,
    calls: /^user\/subscription/,
    errand: { address: '/account', presses: () => toEvents('resume.pressed', 'retry.pressed') },
    booked: async (customer) => ({
      charges: (await customer.countCharges()) - 2,
      given: countMatches(await readText(customer.request('user/subscription')), /"status":"active"/g),
    }),
  },
  {
    name: 'a title, for a code',
    isFree: true,
    errand: {
      address: '/redeem/DEMO-TITLE',
      presses: () => toEvents('redeem.pressed', 'retry.pressed'),
      successStates: ['redeemed', 'owned'],
    },
    booked: countBought([SECOND_TITLE]),
  },
];

/**
 * Why an outcome is wrong: each fulfilment must be charged once, and no screen may report a success
 * without one.
 */
export function findViolation(
  { isFree, mayRepeat }: ErrandCase,
  ending: ShopperResult,
  { charges, given }: Bookings,
): string | null {
  if (given === 0) return `nothing was given: ${ending.screen}`;
  if (given > 1 && mayRepeat !== true) return `given ${given} times`;
  if (charges !== (isFree === true ? 0 : given)) return `charged ${charges} times for ${given}`;
  return null;
}
