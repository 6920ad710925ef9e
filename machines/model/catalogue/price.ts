import { localCurrencies } from '../store/paid-in.ts';
import type { Price, TitleSummary } from './title.ts';

const currenciesByLocale = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(localCurrencies).map(([locale, currencies]) => [locale, new Map(Object.entries(currencies))]),
);

/**
 * The criteria for choosing among a title's prices: the shop's language, and the countries that the
 * store sells to.
 */
export type PriceChoice = { locale: string; countries: readonly string[] };

/**
 * The price of a title that a customer sees and pays: in the currency of the first of the store's
 * countries in which the shop's language is spoken and in whose currency the title has a price;
 * else the title's first price; null if it has none.
 */
export const choosePrice = (prices: readonly Price[], { locale, countries }: PriceChoice): Price | null => {
  const currencies = currenciesByLocale.get(locale);
  for (const country of countries) {
    const price = prices.find(({ currency }) => currency === currencies?.get(country));
    if (price !== undefined) return price;
  }
  return prices[0] ?? null;
};

/** Whether the title is marked as free, or its first price is 0. */
export const isFree = ({ free, prices }: Pick<TitleSummary, 'free' | 'prices'>): boolean => free || prices[0]?.amount === 0;
