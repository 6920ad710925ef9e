import type { Customer } from '../../tools/browser/customer.ts';
import type { Ending, Errand } from './shopper.ts';

/** What is charged and given of one errand, as the shop and the gateway say afterwards. */
export type Booked = { charges: number; given: number };

export type Case = {
  name: string;
  errand: Errand;
  /** What the customer has before. */
  prepare?: (customer: Customer) => Promise<void>;
  /** The calls that have to do with it, where its page makes others, too. */
  calls?: RegExp;
  booked: (customer: Customer) => Promise<Booked>;
  /** It costs no money: nothing is charged for what is given. */
  isFree?: true;
  /** A second one is no mistake: it is for somebody else. */
  mayBeTwice?: boolean;
};

const BOOK = '1001';
const SECOND = '1005';
const FREE = '1011';
/** That the code gives. */
const DEMO_CREDITS = 3;
/** That the book costs. */
const BOOK_CREDITS = 1;

const text = async (answer: Promise<Response>): Promise<string> => (await answer).text();
const timesIn = (found: string, what: RegExp): number => [...found.matchAll(what)].length;

const copiesOf = async (customer: Customer, titles: readonly string[]): Promise<number> => {
  const owned = await customer.library();
  return owned.filter((titleId) => titles.includes(titleId)).length;
};

/** Lets the gateway keep a card, by buying something else with it. */
const keepsCard = async (customer: Customer): Promise<void> => {
  const session = await customer.begins('1004');
  await customer.answersGateway(session, undefined, { keep: 'yes' });
  const answer = await customer.ask('purchase/title/confirm', { transactonId: session.transId });
  if (!answer.ok) throw new Error(`no card is kept: ${answer.status}`);
};

const boughtBy =
  (titles: readonly string[], before = 0) =>
  async (customer: Customer): Promise<Booked> => ({
    charges: (await customer.charges()) - before,
    given: (await copiesOf(customer, titles)) / titles.length,
  });

const type = (...names: string[]) => names.map((name) => ({ type: name }));
const buying = () => type('pay.pressed', 'retry.pressed', 'continue.pressed', 'status.pressed');

const fillsCart = async (customer: Customer): Promise<void> => {
  for (const titleId of [BOOK, SECOND]) await customer.ask('cart/add', { titleId });
};

const creditsOf = async (customer: Customer): Promise<number> =>
  Number(/"CreditBalance":(\d+)/.exec(await text(customer.ask('credits/balance')))?.[1]);

/** By a code of the demo store. */
const getsCredits = async (customer: Customer): Promise<void> => {
  const { shop, token } = customer;
  const answer = await fetch(`${shop.url}/api/redeem/benefit?shelfid=harbour&accesstoken=${token}`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml' },
    body: '<RedeemCode><Code>DEMO-CREDITS</Code></RedeemCode>',
  });
  if (!answer.ok) throw new Error(`there are no credits: ${answer.status} ${await answer.text()}`);
};

/** For money or for credits: once for one of them. */
const forCreditsOrMoney = async (customer: Customer): Promise<Booked> => {
  const { charges, given } = await boughtBy([BOOK])(customer);
  return { charges: charges + ((await creditsOf(customer)) < DEMO_CREDITS ? 1 : 0), given };
};

const giftForm = { name: 'Robin', email: 'robin@example.com', message: '', day: '' };
const giving = () => [{ type: 'gift.submitted', pii: { form: giftForm } }, ...buying()];
const givenBy =
  (before: number) =>
  async (customer: Customer): Promise<Booked> => ({
    charges: (await customer.charges()) - before,
    given: timesIn(await text(customer.ask('user/gifts')), /"giftId"/g),
  });

const subscribedBy =
  (before: number) =>
  async (customer: Customer): Promise<Booked> => ({
    charges: (await customer.charges()) - before,
    given: timesIn(await text(customer.ask('user/subscription')), /"planId"/g),
  });

/** Types the code until it is taken off, or refused. */
const withCode = (context: Record<string, unknown>) => {
  const { isReduced, codeProblem } = context as { isReduced: boolean; codeProblem: { code?: string } | null };
  const isTyped = isReduced || codeProblem?.code?.startsWith('code_') === true;
  return [...(isTyped ? [] : [{ type: 'code.submitted', pii: { form: { code: 'DEMO-20-PERCENT' } } }]), ...buying()];
};

/** A gift that credits pay for, or money. */
const givenForCredits = async (customer: Customer): Promise<Booked> => {
  const { charges, given } = await givenBy(0)(customer);
  return { charges: charges + (DEMO_CREDITS - (await creditsOf(customer))) / BOOK_CREDITS, given };
};

/** Every way in which something is bought or given, each to its end. */
export const cases: readonly Case[] = [
  {
    name: 'a title, on the gateway’s page',
    errand: { address: `/title/purchase?titleid=${BOOK}`, presses: buying, ends: ['owned'] },
    booked: boughtBy([BOOK]),
  },
  {
    name: 'a title, by a kept card',
    prepare: keepsCard,
    errand: { address: `/title/purchase?titleid=${BOOK}`, presses: buying, ends: ['owned'] },
    booked: boughtBy([BOOK], 1),
  },
  {
    name: 'a free title',
    isFree: true,
    errand: { address: `/id:${FREE}`, presses: () => type('buy.pressed', 'retry.pressed'), ends: ['shown.ownership.owned'] },
    booked: boughtBy([FREE]),
  },
  {
    name: 'a title, for credits',
    prepare: getsCredits,
    errand: {
      address: `/title/purchase?titleid=${BOOK}`,
      presses: (context) => [...(context['withCredits'] === true ? [] : type('credits.chosen')), ...buying()],
      ends: ['owned'],
    },
    booked: forCreditsOrMoney,
  },
  {
    name: 'a cart, on the gateway’s page',
    prepare: fillsCart,
    errand: { address: '/cart/checkout', presses: buying, ends: ['notForSale'] },
    booked: boughtBy([BOOK, SECOND]),
  },
  {
    name: 'a cart, by a kept card',
    prepare: async (customer) => {
      await keepsCard(customer);
      await fillsCart(customer);
    },
    errand: { address: '/cart/checkout', presses: buying, ends: ['notForSale'] },
    booked: boughtBy([BOOK, SECOND], 1),
  },
  {
    name: 'a gift, on the gateway’s page',
    mayBeTwice: true,
    errand: { address: `/title/gift?titleid=${BOOK}`, presses: giving },
    booked: givenBy(0),
  },
  {
    name: 'a gift, by a kept card',
    mayBeTwice: true,
    prepare: keepsCard,
    errand: { address: `/title/gift?titleid=${BOOK}`, presses: giving },
    booked: givenBy(1),
  },
  {
    name: 'a cart with a code, on the gateway’s page',
    prepare: fillsCart,
    errand: { address: '/cart/checkout', presses: withCode, ends: ['notForSale'] },
    booked: boughtBy([BOOK, SECOND]),
  },
  {
    name: 'a cart as a gift, on the gateway’s page',
    prepare: fillsCart,
    errand: { address: '/cart/gift', presses: giving, ends: ['notForSale'] },
    booked: givenBy(0),
  },
  {
    name: 'a cart as a gift, by a kept card',
    prepare: async (customer) => {
      await keepsCard(customer);
      await fillsCart(customer);
    },
    errand: { address: '/cart/gift', presses: giving, ends: ['notForSale'] },
    booked: givenBy(1),
  },
  {
    name: 'a gift, for credits',
    mayBeTwice: true,
    prepare: getsCredits,
    errand: {
      address: `/title/gift?titleid=${BOOK}`,
      presses: (context) => [...(context['withCredits'] === true ? [] : type('credits.chosen')), ...giving()],
    },
    booked: givenForCredits,
  },
  {
    name: 'a subscription, on the gateway’s page',
    errand: {
      address: '/subscription/purchase?planid=monthly',
      presses: buying,
      ends: ['owned', 'succeeded'],
      leadsBack: ['notFound', 'notOffered'],
    },
    booked: subscribedBy(0),
  },
  {
    name: 'a subscription, by a kept card',
    prepare: keepsCard,
    errand: {
      address: '/subscription/purchase?planid=monthly',
      presses: buying,
      ends: ['owned', 'succeeded'],
      leadsBack: ['notFound', 'notOffered'],
    },
    booked: subscribedBy(1),
  },
  {
    name: 'a cancelled subscription, taken up again',
    prepare: async (customer) => {
      // Without purchases the page would be an empty one.
      await customer.buys(SECOND);
      await customer.subscribes('monthly');
      await customer.ask('user/subscription/cancel');
    },
    isFree: true,
    calls: /^user\/subscription/,
    errand: { address: '/account', presses: () => type('resume.pressed', 'retry.pressed') },
    booked: async (customer) => ({
      charges: (await customer.charges()) - 2,
      given: timesIn(await text(customer.ask('user/subscription')), /"status":"active"/g),
    }),
  },
  {
    name: 'a title, for a code',
    isFree: true,
    errand: {
      address: '/redeem/DEMO-TITLE',
      presses: () => type('redeem.pressed', 'retry.pressed'),
      ends: ['redeemed', 'owned'],
    },
    booked: boughtBy([SECOND]),
  },
];

/** What is not as it has to be: everything given is charged for once, and who was not given it is not told that they were. */
export function wrongWith({ isFree, mayBeTwice }: Case, ending: Ending, { charges, given }: Booked): string | null {
  if (given === 0) return `nothing was given: ${ending.screen}`;
  if (given > 1 && mayBeTwice !== true) return `given ${given} times`;
  if (charges !== (isFree === true ? 0 : given)) return `charged ${charges} times for ${given}`;
  return null;
}
