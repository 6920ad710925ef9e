import { describe, expect, test } from 'vitest';
import { getPayableIds, quoteCart, type CartEntry } from '../../machines/model/buying/cart.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { titleSummary } from '../../machines/path-models/path-model.ts';

const usd = (amount: number) => ({ amount, currency: 'USD', symbol: '$' });
const eur = (amount: number) => ({ amount, currency: 'EUR', symbol: '€' });

type EntryOptions = { isOwned?: boolean; prices?: Price[] };

const makeEntry = (
  titleId: string,
  { isOwned = false, prices = [usd(1)] }: EntryOptions = {},
  titleFields: object = {},
): CartEntry => ({
  titleId,
  name: titleId,
  savedAt: '',
  isOwned,
  title: { ...titleSummary, id: titleId, prices, ...titleFields },
});
const makeMissingEntry = (titleId: string): CartEntry => ({ titleId, name: '', savedAt: '', isOwned: false, title: null });

const inFrench = { locale: 'fr', countries: ['US', 'FR'] };
const inEnglish = { locale: 'en', countries: ['US', 'FR'] };

const listLineStates = (entries: CartEntry[], choice = inEnglish) => quoteCart(entries, choice).lines.map(({ state }) => state);

test('all titles for sale are paid together, to the cent', () => {
  const quote = quoteCart([makeEntry('a', { prices: [usd(0.1)] }), makeEntry('b', { prices: [usd(0.2)] })], inEnglish);
  expect(quote.total).toEqual(usd(0.3));
  expect(getPayableIds(quote)).toEqual(['a', 'b']);
  expect(quote.lines.map(({ price }) => price)).toEqual([usd(0.1), usd(0.2)]);
});

test('titles that are owned, free, not for sale or deleted are not paid', () => {
  const entries = [
    makeEntry('own', { isOwned: true }),
    makeEntry('free', { prices: [usd(0)] }),
    makeEntry('gift', {}, { free: true }),
    makeEntry('unsold', {}, { forSale: false }),
    makeEntry('unpriced', { prices: [] }),
    makeMissingEntry('gone'),
    { ...makeMissingEntry('owned-and-gone'), isOwned: true },
  ];
  expect(listLineStates(entries)).toEqual(['owned', 'free', 'free', 'notForSale', 'notForSale', 'gone', 'owned']);
  expect(quoteCart(entries, inEnglish).total).toBeNull();
  expect(getPayableIds(quoteCart(entries, inEnglish))).toEqual([]);
});

test('a cart is paid in the customer’s currency, unless most titles are sold in another', () => {
  const entryInBoth = makeEntry('both', { prices: [usd(5), eur(4)] });
  expect(quoteCart([entryInBoth], inFrench).total).toEqual(eur(4));
  expect(quoteCart([entryInBoth], inEnglish).total).toEqual(usd(5));
  expect(quoteCart([makeEntry('a'), entryInBoth], inFrench).total).toEqual(usd(6));
  const euroEntries = [makeEntry('x', { prices: [eur(1)] }), makeEntry('y', { prices: [eur(2)] })];
  expect(quoteCart([entryInBoth, ...euroEntries], inEnglish).total).toEqual(eur(7));
});

test('titles sold only in other currencies are not paid', () => {
  const entries = [makeEntry('a'), makeEntry('b', { prices: [eur(2)] }), makeEntry('c')];
  expect(listLineStates(entries)).toEqual(['payable', 'otherCurrency', 'payable']);
  expect(quoteCart(entries, inEnglish).total).toEqual(usd(2));
});

describe('a cart is paid in the currency of the store’s countries, or of the latest title, as the server charges it', () => {
  const usd1 = makeEntry('a', { prices: [usd(1)] });
  const usd2 = makeEntry('b', { prices: [usd(2)] });
  const inFrance = { locale: 'en', countries: ['FR'] };

  test('a currency of no country of the store is not used, even if most titles are sold in it', () => {
    const quote = quoteCart([makeEntry('latest', { prices: [eur(3)] }), usd1, usd2], inFrance);
    expect(quote.lines.map(({ state }) => state)).toEqual(['payable', 'otherCurrency', 'otherCurrency']);
    expect(quote.total).toEqual(eur(3));
  });

  test('the currency of the latest payable title is used, if most titles are sold in it', () => {
    expect(quoteCart([usd1, makeEntry('x', { prices: [eur(3)] }), usd2], inFrance).total).toEqual(usd(3));
    const ownedEntry = { ...makeEntry('own', { isOwned: true, prices: [eur(1)] }) };
    const unpriced = makeEntry('unpriced', { prices: [] });
    expect(quoteCart([ownedEntry, unpriced, usd1, usd2], inFrance).total).toEqual(usd(3));
  });

  test('any currency is used when that of a country is unknown, or the store sells to all countries', () => {
    const entries = [makeEntry('latest', { prices: [eur(3)] }), usd1, usd2];
    expect(quoteCart(entries, { locale: 'en', countries: ['FR', 'ZZ'] }).total).toEqual(usd(3));
    expect(quoteCart(entries, { locale: 'en', countries: [] }).total).toEqual(usd(3));
  });
});

test('an empty cart has no total', () => {
  expect(quoteCart([], inEnglish)).toEqual({ lines: [], total: null });
});

test('a campaign’s reward is free with a paid title', () => {
  const reward = { ...makeEntry('reward', { prices: [usd(7)] }), campaignId: 'spring', isReward: true as const };
  const quote = quoteCart([makeEntry('a', { prices: [usd(5)] }), reward], inEnglish);
  expect(quote.lines.map(({ state, price }) => [state, price])).toEqual([
    ['payable', usd(5)],
    ['reward', usd(0)],
  ]);
  expect(quote.total).toEqual(usd(5));
  expect(getPayableIds(quote)).toEqual(['a', 'reward']);
  expect(listLineStates([{ ...reward, isOwned: true }])).toEqual(['owned']);
});

test('a reward is free, also when it is sold in another currency than the cart’s', () => {
  const reward = { ...makeEntry('reward', { prices: [eur(7)] }), isReward: true as const, cartCurrency: 'USD' };
  const paidEntry = { ...makeEntry('a', { prices: [usd(5)] }), cartCurrency: 'USD' };
  // The store has no country with either currency: the server uses the cart's currency.
  const quote = quoteCart([reward, paidEntry], { locale: 'en', countries: ['GB'] });
  expect(quote.lines.map(({ state }) => state)).toEqual(['reward', 'payable']);
  expect([quote.total, getPayableIds(quote)]).toEqual([usd(5), ['reward', 'a']]);
});
