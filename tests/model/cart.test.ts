import { describe, expect, test } from 'vitest';
import { getPayableIds, quoteCart, type CartEntry } from '../../machines/model/buying/cart.ts';
import type { Price } from '../../machines/model/catalogue/title.ts';
import { summary } from '../../machines/path-models/path-model.ts';

const usd = (amount: number) => ({ amount, currency: 'USD', symbol: '$' });
const eur = (amount: number) => ({ amount, currency: 'EUR', symbol: '€' });

type EntryOptions = { isOwned?: boolean; prices?: Price[] };

const entry = (titleId: string, { isOwned = false, prices = [usd(1)] }: EntryOptions = {}, more: object = {}): CartEntry => ({
  titleId,
  name: titleId,
  savedAt: '',
  isOwned,
  title: { ...summary, id: titleId, prices, ...more },
});
const missingEntry = (titleId: string): CartEntry => ({ titleId, name: '', savedAt: '', isOwned: false, title: null });

const inFrench = { locale: 'fr', countries: ['US', 'FR'] };
const inEnglish = { locale: 'en', countries: ['US', 'FR'] };

const lineStates = (entries: CartEntry[], choice = inEnglish) => quoteCart(entries, choice).lines.map(({ state }) => state);

test('all titles sold for money here are paid together, to the cent', () => {
  const quote = quoteCart([entry('a', { prices: [usd(0.1)] }), entry('b', { prices: [usd(0.2)] })], inEnglish);
  expect(quote.total).toEqual(usd(0.3));
  expect(getPayableIds(quote)).toEqual(['a', 'b']);
  expect(quote.lines.map(({ price }) => price)).toEqual([usd(0.1), usd(0.2)]);
});

test('titles that are owned, free, not for sale or deleted are not paid', () => {
  const entries = [
    entry('own', { isOwned: true }),
    entry('free', { prices: [usd(0)] }),
    entry('gift', {}, { free: true }),
    entry('unsold', {}, { forSale: false }),
    entry('unpriced', { prices: [] }),
    missingEntry('gone'),
    { ...missingEntry('owned-and-gone'), isOwned: true },
  ];
  expect(lineStates(entries)).toEqual(['owned', 'free', 'free', 'notForSale', 'notForSale', 'gone', 'owned']);
  expect(quoteCart(entries, inEnglish).total).toBeNull();
  expect(getPayableIds(quoteCart(entries, inEnglish))).toEqual([]);
});

test('it is paid in the customer’s currency, if most titles are sold in it', () => {
  const both = entry('both', { prices: [usd(5), eur(4)] });
  expect(quoteCart([both], inFrench).total).toEqual(eur(4));
  expect(quoteCart([both], inEnglish).total).toEqual(usd(5));
  expect(quoteCart([entry('a'), both], inFrench).total).toEqual(usd(6));
  const euros = [entry('x', { prices: [eur(1)] }), entry('y', { prices: [eur(2)] })];
  expect(quoteCart([both, ...euros], inEnglish).total).toEqual(eur(7));
});

test('titles sold only in other currencies are marked', () => {
  const entries = [entry('a'), entry('b', { prices: [eur(2)] }), entry('c')];
  expect(lineStates(entries)).toEqual(['payable', 'otherCurrency', 'payable']);
  expect(quoteCart(entries, inEnglish).total).toEqual(usd(2));
});

describe('it is paid in the currency of the store’s countries, or of the latest title, as the server charges it', () => {
  const usd1 = entry('a', { prices: [usd(1)] });
  const usd2 = entry('b', { prices: [usd(2)] });
  const inFrance = { locale: 'en', countries: ['FR'] };

  test('another currency is not used, even if most titles are sold in it', () => {
    const quote = quoteCart([entry('latest', { prices: [eur(3)] }), usd1, usd2], inFrance);
    expect(quote.lines.map(({ state }) => state)).toEqual(['payable', 'otherCurrency', 'otherCurrency']);
    expect(quote.total).toEqual(eur(3));
  });

  test('the currency of the latest title is used, regardless of which it is', () => {
    expect(quoteCart([usd1, entry('x', { prices: [eur(3)] }), usd2], inFrance).total).toEqual(usd(3));
    const own = { ...entry('own', { isOwned: true, prices: [eur(1)] }) };
    const unpriced = entry('unpriced', { prices: [] });
    expect(quoteCart([own, unpriced, usd1, usd2], inFrance).total).toEqual(usd(3));
  });

  test('any currency is used when a country’s is unknown, or the store sells to all', () => {
    const entries = [entry('latest', { prices: [eur(3)] }), usd1, usd2];
    expect(quoteCart(entries, { locale: 'en', countries: ['FR', 'ZZ'] }).total).toEqual(usd(3));
    expect(quoteCart(entries, { locale: 'en', countries: [] }).total).toEqual(usd(3));
  });
});

test('an empty cart costs nothing', () => {
  expect(quoteCart([], inEnglish)).toEqual({ lines: [], total: null });
});

test('a campaign’s reward is free with a paid title', () => {
  const reward = { ...entry('reward', { prices: [usd(7)] }), campaignId: 'spring', isReward: true as const };
  const quote = quoteCart([entry('a', { prices: [usd(5)] }), reward], inEnglish);
  expect(quote.lines.map(({ state, price }) => [state, price])).toEqual([
    ['payable', usd(5)],
    ['reward', usd(0)],
  ]);
  expect(quote.total).toEqual(usd(5));
  expect(getPayableIds(quote)).toEqual(['a', 'reward']);
  expect(lineStates([{ ...reward, isOwned: true }])).toEqual(['owned']);
});

test('a reward is free, also when it is sold in another currency than the cart’s', () => {
  const reward = { ...entry('reward', { prices: [eur(7)] }), isReward: true as const, cartCurrency: 'USD' };
  const bought = { ...entry('a', { prices: [usd(5)] }), cartCurrency: 'USD' };
  // The store sells to neither currency's country: the server takes the cart's own.
  const quote = quoteCart([reward, bought], { locale: 'en', countries: ['GB'] });
  expect(quote.lines.map(({ state }) => state)).toEqual(['reward', 'payable']);
  expect([quote.total, getPayableIds(quote)]).toEqual([usd(5), ['reward', 'a']]);
});
