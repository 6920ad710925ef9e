import { isLocalCurrency } from '../../machines/model/store/paid-in.ts';
import { DomainError } from '../kernel/errors.ts';
import type { FullTitle } from './find-title.ts';
import { toNearestMinor, toMajor } from '../base/money.ts';

type Price = FullTitle['prices'][number];

/**
 * The price that the customer was shown, in the main unit of a currency; without both, no price was
 * shown.
 */
export type ShownPrice = { amount?: number | undefined; currency?: string | undefined };

const priceChangedError = ({ amount, currency }: Price) =>
  new DomainError('conflict', 'The price of this title has changed.', {
    code: 'price_changed',
    details: { price: toMajor(amount, currency), currency },
  });

/**
 * The title's first price.
 * @throws DomainError conflict not_for_sale
 */
export function requireFirstPrice({ for_sale: forSale, prices }: FullTitle): Price {
  const [price] = prices;
  if (!forSale || price === undefined) throw new DomainError('conflict', 'This title isn’t for sale.', { code: 'not_for_sale' });
  return price;
}

/**
 * The prices that a store sells at in its countries: those in the countries' currencies, and the
 * first price, for all other currencies.
 */
const selectPrices = (prices: readonly Price[], countries: readonly string[]): readonly Price[] =>
  prices.filter((price, index) => index === 0 || isLocalCurrency(price.currency, countries));

/**
 * The current price of a title in the currency that the customer saw, never in another. The server
 * always charges its own price; this check keeps it from charging a different one than shown. An
 * amount without a currency is accepted only where there is just one price; a caller that was shown
 * no price pays the first.
 * @param countries that the store sells to; empty for all
 * @throws DomainError conflict not_for_sale, or price_changed with the new price and currency
 */
export function requireShownPrice(title: FullTitle, { amount, currency }: ShownPrice, countries: readonly string[] = []): Price {
  const firstPrice = requireFirstPrice(title);
  const prices = selectPrices(title.prices, countries);
  const price = currency === undefined ? firstPrice : prices.find((each) => each.currency === currency);
  if (price === undefined) throw priceChangedError(firstPrice);
  const isAmbiguous = currency === undefined && prices.length > 1;
  if (amount !== undefined && (isAmbiguous || toNearestMinor(amount, price.currency) !== price.amount))
    throw priceChangedError(price);
  return price;
}
