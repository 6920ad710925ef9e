import * as v from 'valibot';
import type { CartQuote } from './cart.ts';
import { isFree } from '../catalogue/price.ts';
import type { TitleSummary } from '../catalogue/title.ts';

/** Where a customer says to live: a country (ISO 3166-1), and the part of it on which its rates of tax depend, where they do. */
export const Place = v.object({ country: v.string(), region: v.nullable(v.string()) });
export type Place = v.InferOutput<typeof Place>;

/** A rate of tax by the store's name for it; `amount` is what it comes to, where that is told. */
export const TaxRate = v.object({ name: v.string(), percent: v.number(), amount: v.optional(v.number()) });
export type TaxRate = v.InferOutput<typeof TaxRate>;

/** The region of those who live in none that is listed. */
export const elsewhere = 'other';

/**
 * What something costs with tax; `needs` says what has to be chosen before that is known. `countries` are those that the store sells
 * to, none for any, and `regions` those on which the rates of the country depend.
 */
export const TaxQuote = v.object({
  price: v.number(),
  taxPrice: v.number(),
  priceWithTax: v.number(),
  taxRates: v.array(TaxRate),
  country: v.nullable(v.string()),
  region: v.nullable(v.string()),
  needs: v.optional(v.picklist(['country', 'region'])),
  countries: v.optional(v.array(v.string()), []),
  regions: v.optional(v.array(v.object({ code: v.string(), name: v.string() })), []),
});
export type TaxQuote = v.InferOutput<typeof TaxQuote>;

/** The tax that goes along with a payment, as the customer was shown it. */
export const Tax = v.object({ place: Place, taxPrice: v.number(), priceWithTax: v.number(), rates: v.array(TaxRate) });
export type Tax = v.InferOutput<typeof Tax>;

/** The tax of a quote; null while something has to be chosen. */
export const taxIn = ({ country, region, needs, taxPrice, priceWithTax, taxRates }: TaxQuote): Tax | null =>
  country === null || needs !== undefined ? null : { place: { country, region }, taxPrice, priceWithTax, rates: taxRates };

/** What a summary knows of tax: that the store adds it to its prices, and what the customer sees of it; null while it is not known. */
export type TaxShown = { addsTax: boolean; tax: Tax | null };

/** Tax is added to what is paid for this title, or for all of a cart. */
export const isTaxed = ({
  addsTax,
  title,
  cart,
}: Pick<TaxShown, 'addsTax'> & { title: TitleSummary | null; cart: CartQuote | null }): boolean =>
  addsTax && (cart === null ? title !== null && !isFree(title) : cart.total !== null);
