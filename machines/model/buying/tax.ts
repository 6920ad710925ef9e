import * as v from 'valibot';
import type { CartQuote } from './cart.ts';
import { isFree } from '../catalogue/price.ts';
import type { TitleSummary } from '../catalogue/title.ts';

/**
 * The customer's location for tax: a country (ISO 3166-1), and a region if the country's tax rates
 * depend on it, else null.
 */
export const TaxLocation = v.object({ country: v.string(), region: v.nullable(v.string()) });
export type TaxLocation = v.InferOutput<typeof TaxLocation>;

/**
 * A tax rate with the store's name for it; `amount` is the resulting tax, if the server states it.
 */
export const TaxRate = v.object({ name: v.string(), percent: v.number(), amount: v.optional(v.number()) });
export type TaxRate = v.InferOutput<typeof TaxRate>;

/** The region code for locations outside the listed regions. */
export const OTHER_REGION = 'other';

/**
 * A price with tax; `needs` is the choice that the customer must make before the tax is known.
 * `countries` are those that the store sells to (empty for all), `regions` those that the country's
 * rates depend on.
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

/** The tax of a payment, as shown to the customer. */
export const Tax = v.object({ place: TaxLocation, taxPrice: v.number(), priceWithTax: v.number(), rates: v.array(TaxRate) });
export type Tax = v.InferOutput<typeof Tax>;

/** The tax of a quote; null while the customer must still choose a country or region. */
export const toTax = ({ country, region, needs, taxPrice, priceWithTax, taxRates }: TaxQuote): Tax | null =>
  country === null || needs !== undefined ? null : { place: { country, region }, taxPrice, priceWithTax, rates: taxRates };

/**
 * The tax data of a summary: whether the store adds tax to its prices, and the tax shown; null
 * until known.
 */
export type TaxDisplay = { addsTax: boolean; tax: Tax | null };

/** Whether tax is added to this title, or to the whole cart. */
export const isTaxed = ({
  addsTax,
  title,
  cart,
}: Pick<TaxDisplay, 'addsTax'> & { title: TitleSummary | null; cart: CartQuote | null }): boolean =>
  addsTax && (cart === null ? title !== null && !isFree(title) : cart.total !== null);
