import { isPaidIn } from '../../machines/model/store/paid-in.ts';
import { DomainError } from '../kernel/errors.ts';
import type { FullTitle } from './find-title.ts';
import { nearestMinor, toMajor } from '../base/money.ts';

type Price = FullTitle['prices'][number];

/** What the customer was shown: an amount in the main unit of a currency. Who says neither has been shown nothing. */
export type ShownPrice = { amount?: number | undefined; currency?: string | undefined };

const changed = ({ amount, currency }: Price) =>
  new DomainError('conflict', 'The price of this title has changed.', {
    code: 'price_changed',
    details: { price: toMajor(amount, currency), currency },
  });

/**
 * The title's first price.
 * @throws DomainError conflict not_for_sale
 */
export function firstPrice({ for_sale: forSale, prices }: FullTitle): Price {
  const [price] = prices;
  if (!forSale || price === undefined) throw new DomainError('conflict', 'This title isn’t for sale.', { code: 'not_for_sale' });
  return price;
}

/** The prices at which a store sells to its countries: those in their money, and the first, which everybody else sees. */
const pricesFor = (prices: readonly Price[], countries: readonly string[]): readonly Price[] =>
  prices.filter((price, at) => at === 0 || isPaidIn(price.currency, countries));

/**
 * What a title costs now, in the currency that the customer saw and never in another. The server always charges its own
 * figure; this keeps it from charging another one than the customer saw. An amount without its currency tells the price only
 * where there is no more than one; who was shown nothing pays the first.
 * @param countries that the store sells to; none for any
 * @throws DomainError conflict not_for_sale, or price_changed with the new price and currency
 */
export function priceShown(title: FullTitle, { amount, currency }: ShownPrice, countries: readonly string[] = []): Price {
  const first = firstPrice(title);
  const prices = pricesFor(title.prices, countries);
  const price = currency === undefined ? first : prices.find((each) => each.currency === currency);
  if (price === undefined) throw changed(first);
  const isAmbiguous = currency === undefined && prices.length > 1;
  if (amount !== undefined && (isAmbiguous || nearestMinor(amount, price.currency) !== price.amount)) throw changed(price);
  return price;
}
