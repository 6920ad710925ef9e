import { Refusal } from '../api/refusal.ts';
import type { FullTitle } from './find-title.ts';
import { toMajor, toMinor } from './money.ts';

/**
 * What a title costs now, in the wanted currency or else its first one.
 * @throws Refusal 409 not_for_sale, 400 for a currency that it is not sold in
 */
export function priceOf(title: FullTitle, currency: string | undefined): { amount: number; currency: string } {
  if (!title.for_sale || title.prices.length === 0)
    throw new Refusal(409, 'This title is not for sale.', { code: 'not_for_sale' });
  const price = currency === undefined ? title.prices[0] : title.prices.find((each) => each.currency === currency);
  if (!price) throw new Refusal(400, `This title is not sold in ${currency ?? 'any currency'}.`);
  return price;
}

/**
 * Compares what the customer was shown with what the title costs. The server always charges its own figure; this keeps
 * it from charging another one than the customer saw.
 * @throws Refusal 409 price_changed, with the new price and currency
 */
export function checkShownPrice(shown: number | undefined, price: { amount: number; currency: string }): void {
  if (shown === undefined || toMinor(shown, price.currency) === price.amount) return;
  throw new Refusal(409, 'The price of this title has changed.', {
    code: 'price_changed',
    extra: { price: toMajor(price.amount, price.currency), currency: price.currency },
  });
}
