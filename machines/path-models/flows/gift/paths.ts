import { giftMachine } from '../../../buying/gift.ts';
import type { GiftOffer } from '../../../buying/gift-context.ts';
import type { Outcome } from '../../../buying/payment.ts';
import type { Card } from '../../../model/card.ts';
import type { GiftForm, GiftLetter } from '../../../model/gift.ts';
import type { Problem } from '../../../model/problem.ts';
import type { TitleSummary } from '../../../model/title.ts';
import { quoteCart } from '../../../model/cart.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, store, summary, type PathModel } from '../../path-model.ts';
import { operator, preparations } from '../../preparations.ts';
import { tax } from '../checkout/paths.ts';
import { giftDescription } from './descriptions.ts';

export const form: GiftForm = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };

export const letter: GiftLetter = {
  subject: 'Harbour Books: Ann has sent you a gift',
  before: ['Hello Bo Quay,', 'Ann is giving you “The Keeper’s Third Log” from Harbour.', 'Happy birthday!'],
  link: 'Open your gift',
  after: ['The link is for you alone and works once.'],
};

export const offer: GiftOffer & { title: TitleSummary } = {
  title: summary,
  price: summary.prices[0] ?? null,
  days: { today: '2026-01-01', lastDay: '2027-01-01' },
  key: 'g1',
  transId: null,
  pii: { draft: null },
};

export const ofCart: GiftOffer = {
  ...offer,
  title: null,
  cart: quoteCart(
    [{ titleId: summary.id, name: summary.name, savedAt: '2026-01-01T00:00:00.000Z', isOwned: false, title: summary }],
    { locale: 'en', countries: ['US'] },
  ),
};
const emptyCart: GiftOffer = { ...ofCart, price: null, cart: quoteCart([], { locale: 'en', countries: ['US'] }) };
const accepted = { currency: 'Credits', accepted: true };

const free = { ...offer, title: { ...summary, free: true, prices: [] }, price: null };
const card: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
const expired = { ...card, id: 'c2', isDefault: false, isExpired: true, pii: { ...card.pii, expiry: '12/20' } };
const badDay: Problem = { kind: 'refused', code: 'gift_day', message: 'Too far' };

const ended = (outcome: Outcome, problem: Problem | null = null) => ({
  output: { outcome, titleId: '1001', transId: 't1', problem },
});

const endings = [
  described('it is paid, and the gift goes out', ended('succeeded'), preparations.paid),
  described('the card is declined', ended('failed', problems.declined), preparations.declined),
  described(
    'the day that was chosen has passed',
    ended('failed', badDay),
    'Override `purchase/credits` (`payment/session` of what costs money) with `<Error><StatusCode>409</StatusCode><Code>gift_day</Code></Error>`',
  ),
  described('the customer has cancelled it', ended('cancelled'), preparations.cancelled),
  described('the price has changed since the summary', ended('priceChanged'), preparations.reprice),
  described(
    'the server knows of no such payment',
    ended('none'),
    'Override `payment/session` (`checkout/cart/session` of a cart) with `<Torn`, and press “Check again” once it is not known what has become of the payment; of what is free leave it to the gate, as Blocked: the gift is given by then',
  ),
  described('there is no such payment', ended('notFound'), preparations.unknown),
];

const draftBegun = 'Write to somebody in this tab, press “Preview the email”, and go elsewhere by a link';
const begunBefore = 'Begin the payment of the gift before, in this browser, and close the tab of the payment page';

const cases: NonNullable<PathModel['cases']> = {
  leave: [{ url: 'https://pay.example/1' }],
  'gift.submitted': [{ pii: { form } }],
  'gift.rejected': [{ fields: { email: 'email' } }],
  'xstate.done.actor.giftOffer': [
    described('it is for sale', { output: offer }),
    described('it is for sale, and a gift was begun in this tab', { output: { ...offer, pii: { draft: form } } }, draftBegun),
    described('it is for sale, and an unfinished payment is remembered', { output: { ...offer, transId: 't0' } }, begunBefore),
    described(
      'it is for sale, for credits as well',
      { output: { ...offer, credits: 2 } },
      'Take the title 1001 instead: /title/gift?titleid=1001',
    ),
    described(
      'it is free',
      { output: free },
      `Take the title 1011 instead (/title/gift?titleid=1011), or, in the middle of a test, make its title free: ${operator('titles set --id 1008 --price 0USD')}; afterwards back`,
    ),
    described(
      'it is not for sale',
      { output: { ...offer, title: { ...summary, forSale: false } } },
      'Take the title 1012 instead: /title/gift?titleid=1012',
    ),
  ],
  'xstate.error.actor.giftOffer': rejections(problems.offline, problems.notFound),
  'xstate.done.actor.keptCards': [
    described('one, and one that has expired', { output: [card, expired] }, preparations.cards),
    described('none', { output: [] }),
  ],
  'xstate.error.actor.keptCards': rejections(problems.offline),
  'xstate.done.actor.creditBalance': [
    described('enough of them', { output: { balance: 5, ...accepted } }, preparations.credits),
    described('too few', { output: { balance: 1, ...accepted } }, 'Take a customer who has redeemed no credits'),
  ],
  'xstate.error.actor.creditBalance': rejections(problems.offline),
  'xstate.done.actor.giftLetter': [{ output: { pii: { letter } } }],
  'xstate.error.actor.giftLetter': rejections(problems.offline, badDay),
  'card.chosen': [described('that was kept', { cardId: 'c1' }), described('“Another card”', { cardId: null })],
  'xstate.done.actor.payment': endings,
};

/** The same with all that is in the cart. */
const cartCases: NonNullable<PathModel['cases']> = {
  ...cases,
  'xstate.done.actor.giftOffer': [
    described('there is a title to pay for', { output: ofCart }),
    described('there is one, and a gift was begun in this tab', { output: { ...ofCart, pii: { draft: form } } }, draftBegun),
    described('there is one, and an unfinished payment is remembered', { output: { ...ofCart, transId: 't0' } }, begunBefore),
    described('there is nothing to pay for', { output: emptyCart }, 'Take the title out of the cart, in another tab'),
  ],
};

/** Where the gateway takes wallets as well, what is given is what is on offer; all else is as it is without. */
const walletCases = (given: GiftOffer): NonNullable<PathModel['cases']> => ({
  ...cases,
  'method.chosen': [{ method: 'wallet' }],
  'xstate.done.actor.giftOffer': [
    described('a wallet pays as well', { output: { ...given, methods: ['wallet'] } }, preparations.wallet),
  ],
});

/** Of a store that adds tax. */
const toldTax: NonNullable<PathModel['cases']> = {
  'tax.told': [
    described('it is known', { tax }, preparations.france),
    described('it is not known any more', { tax: null }, 'Choose another country'),
  ],
  'tax.outdated': [described('', {}, `${preparations.reprice}. Then choose France under “Country”`)],
};

type GiftContext = {
  title: { free: boolean } | null;
  cart?: { total: unknown };
  credits?: number;
  balance?: { balance: number };
  withCredits?: boolean;
  method?: string | null;
  cards: unknown[];
  cardId: string | null;
  transId: string | null;
  tax?: unknown;
  outcome: Outcome | null;
  problem: Problem | null;
};

const model = (part: Pick<PathModel, 'given' | 'input' | 'cases'>): PathModel => ({
  name: 'gift',
  machine: giftMachine,
  description: giftDescription,
  cases,
  kind: ({ value, context }): unknown[] => {
    const { title, cart, credits, balance, withCredits, method, cards, cardId, transId, tax, outcome, problem } =
      context as GiftContext;
    const of = [title?.free, cart?.total === null, credits];
    // How else it is paid is told apart while it is to be chosen, and what has come of it where that is said.
    const ways = ['checking', 'paying'].includes(String(value))
      ? [balance?.balance, withCredits, method, tax]
      : [balance !== undefined];
    const end = ['succeeded', 'failed', 'cancelled', 'priceChanged', 'notFound'].includes(String(value)) ? outcome : null;
    return [value, of, ways, cards.length, cardId, transId !== null, end, problem?.kind];
  },
  ...part,
});

const page = (params: Record<string, string>, path: string) => ({ flow: 'gift', path, params, access: 'login' }) as const;

export const models: PathModel[] = [
  model({
    given: `Signed in, open /title/gift?titleid=1008, a title that is for sale, ${preparations.noMoney}.`,
    input: flowInput(page({ titleid: '1001' }, '/title/gift?titleid=1001'), { signedIn: true }),
  }),
  model({
    given: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, open /title/gift?titleid=1008, ${preparations.noMoney}.`,
    input: flowInput(page({ titleid: '1001' }, '/title/gift?titleid=1001'), {
      signedIn: true,
      store: { ...store, enableTax: true },
    }),
    cases: { ...cases, ...toldTax },
  }),
  model({
    given: 'Signed in, in a shop whose gateway takes digital wallets as well, open /title/gift?titleid=1001.',
    input: flowInput(page({ titleid: '1001' }, '/title/gift?titleid=1001'), { signedIn: true }),
    cases: walletCases({ ...offer, credits: 2 }),
  }),
  model({
    given:
      'Signed in, begin a gift at /title/gift?titleid=1008, press “Continue to payment”, and come back from the payment page: /title/gift?transId=….',
    input: flowInput(page({ transId: 't1' }, '/title/gift?transId=t1'), { signedIn: true }),
  }),
  model({
    given: 'Signed in, open /title/gift for no title.',
    input: flowInput(page({}, '/title/gift'), { signedIn: true }),
  }),
  model({
    given: 'Signed in, open /title/gift?titleid=1001 of a store that has no gifts (EnableGiftingTitle off).',
    input: flowInput(page({ titleid: '1001' }, '/title/gift?titleid=1001'), {
      signedIn: true,
      store: { ...store, enableGiftingTitle: false },
    }),
  }),
  model({
    given: 'Signed in, with the title 1008 in the cart, open /cart/gift.',
    input: flowInput(page({ of: 'cart' }, '/cart/gift'), { signedIn: true }),
    cases: cartCases,
  }),
  model({
    given: `Signed in, in a store that adds tax to its prices ${preparations.taxes}, with the title 1008 in the cart, open /cart/gift.`,
    input: flowInput(page({ of: 'cart' }, '/cart/gift'), { signedIn: true, store: { ...store, enableTax: true } }),
    cases: { ...cartCases, ...toldTax },
  }),
  model({
    given: 'Signed in, in a shop whose gateway takes digital wallets as well, with a title in the cart, open /cart/gift.',
    input: flowInput(page({ of: 'cart' }, '/cart/gift'), { signedIn: true }),
    cases: walletCases(ofCart),
  }),
  model({
    given:
      'Signed in, begin to give the cart at /cart/gift, press “Continue to payment”, and come back from the payment page: /cart/gift?transId=….',
    input: flowInput(page({ of: 'cart', transId: 't1' }, '/cart/gift?transId=t1'), { signedIn: true }),
    cases: cartCases,
  }),
];
