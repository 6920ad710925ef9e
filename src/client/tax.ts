import { Place, taxIn, TaxQuote, type Tax } from '../../machines/model/tax.ts';
import type { Price } from '../../machines/model/title.ts';
import type { TaxRequest } from '../../machines/buying/tax.ts';
import { storedCustomer } from '../storage/session-storage.ts';
import { store, stored } from '../storage/storage.ts';
import type { Api } from './client.ts';
import { jsonAnswer } from './json.ts';
import { problemOfFailure, raise } from './problem.ts';
import * as v from 'valibot';

/** What a call that begins a payment says of its tax; the server refuses it where it is not its own. */
export const taxQuery = (tax: Tax | undefined) =>
  tax === undefined
    ? {}
    : {
        country: tax.place.country,
        region: tax.place.region ?? undefined,
        taxPrice: tax.taxPrice,
        priceWithTax: tax.priceWithTax,
      };

/** What is said of the tax when the payment is confirmed. */
export const confirmedTax = (tax: Tax | undefined) =>
  tax === undefined
    ? {}
    : {
        country: tax.place.country,
        cardCountry: tax.place.country,
        cardState: tax.place.region ?? undefined,
        taxPrice: tax.taxPrice,
        priceWithTax: tax.priceWithTax,
        taxRates: JSON.stringify(tax.rates.map(({ name, percent }) => ({ name, percent }))),
      };

type Taxed = { titleId: string; price: Price | null; code?: string; place: Place | null };

/** What a title costs with tax, or a whole cart where no title is named. @throws Problem `refused` with `price_changed` or `country_not_served` */
const tax = (api: Api, { titleId, price, code, place }: Taxed, signal?: AbortSignal): Promise<TaxQuote> => {
  const query = {
    titleid: titleId || undefined,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    country: place?.country || undefined,
    region: place?.region || undefined,
  };
  return jsonAnswer(api, 'tax', api.client.GET('/tax', { params: { query }, ...api.reading(signal) }), TaxQuote);
};

/** Where each customer of this browser said to live, for the next purchase. */
const name = () => `colophon.place.${storedCustomer()?.userId ?? ''}` as const;

/**
 * What something costs with tax where the customer says to live: now, or at the purchase before. A place that the store no longer
 * sells to is forgotten.
 */
export const taxWhereTheyLive = async (
  api: Api,
  { place, ...request }: TaxRequest & { code?: string },
  signal: AbortSignal,
): Promise<TaxQuote> => {
  const kept = place === null ? stored(name(), v.nullable(Place), null) : null;
  try {
    const quote = await tax(api, { ...request, place: place ?? kept }, signal);
    const known = taxIn(quote);
    if (known !== null) store(name(), known.place);
    return quote;
  } catch (error) {
    const problem = problemOfFailure(error);
    const isGone = kept !== null && problem.kind === 'refused' && problem.code === 'country_not_served';
    return isGone ? tax(api, { ...request, place: null }, signal) : raise(problem);
  }
};
