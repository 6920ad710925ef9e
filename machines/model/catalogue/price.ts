import { paidIn } from '../store/paid-in.ts';
import type { Price, TitleSummary } from './title.ts';

const spoken = new Map<string, ReadonlyMap<string, string>>(
  Object.entries(paidIn).map(([locale, currencies]) => [locale, new Map(Object.entries(currencies))]),
);

/** What decides between the prices of a title: the language that the shop speaks, and the countries that the store sells to. */
export type PriceChoice = { locale: string; countries: readonly string[] };

/**
 * The one price that a customer sees of a title, and pays: in the money of the first of the store's countries in which the
 * shop's language is spoken and for which there is a price; else the title's first price; null where there is none.
 */
export const priceFor = (prices: readonly Price[], { locale, countries }: PriceChoice): Price | null => {
  const currencies = spoken.get(locale);
  for (const country of countries) {
    const price = prices.find(({ currency }) => currency === currencies?.get(country));
    if (price !== undefined) return price;
  }
  return prices[0] ?? null;
};

/** True when nothing is to be paid, in whatever currency. */
export const isFree = ({ free, prices }: Pick<TitleSummary, 'free' | 'prices'>): boolean => free || prices[0]?.amount === 0;
