import { roundedIn } from '../../../machines/model/store/currency.ts';
import { Place, taxIn, TaxQuote, type Tax, type TaxRate } from '../../../machines/model/buying/tax.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import type { TaxRequest } from '../../../machines/buying/tax.ts';
import { customersKey } from '../../storage/session-storage.ts';
import { store, stored } from '../../storage/storage.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { malformed, problemOfFailure, raise } from '../wire/problem.ts';
import * as v from 'valibot';

/**
 * The tax in a call that begins a payment; the server refuses it where it is not its own.
 */
export const taxQuery = (tax: Tax | null) =>
  tax === null
    ? {}
    : {
        country: tax.place.country,
        region: tax.place.region ?? undefined,
        taxPrice: tax.taxPrice,
        priceWithTax: tax.priceWithTax,
      };

/** The tax as the confirmation of the payment names it. */
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

const amount = v.nullish(v.number(), null);
const text = v.nullish(v.string(), null);

/** The answer of a server: of price, tax and total each follows from the other two. */
const Answer = v.object({
  ...TaxQuote.entries,
  price: amount,
  taxPrice: amount,
  priceWithTax: amount,
  taxRates: v.nullish(v.array(v.object({ name: v.nullish(v.string(), ''), percent: amount, amount })), []),
  country: text,
  region: text,
});

type Answered = v.InferOutput<typeof Answer>;

/**
 * The amount of each rate; together that is the tax, where this is known. A rate without a
 * percentage is left out.
 */
const ratesOf = ({ taxRates, taxPrice }: Answered, price: number, rounded: (sum: number) => number): TaxRate[] => {
  const rates = (taxRates ?? []).flatMap(({ name, percent, amount: told }) =>
    percent === null ? [] : [{ name, percent, amount: told ?? rounded((price * percent) / 100) }],
  );
  const [last] = rates.slice(-1);
  const isTold = (taxRates ?? []).every(({ amount: told }) => told !== null);
  if (last !== undefined && taxPrice !== null && !isTold)
    last.amount = rounded(taxPrice - rates.slice(0, -1).reduce((sum, rate) => sum + rate.amount, 0));
  return rates;
};

/** The answer with all that follows from it, and from what was asked for. */
const completed = (call: string, answer: Answered, { price: asked, place }: Taxed): TaxQuote => {
  const rounded = (sum: number): number => roundedIn(asked?.currency ?? '', sum);
  const { taxPrice, priceWithTax, needs, country, region } = answer;
  const difference = priceWithTax === null ? null : rounded(priceWithTax - (taxPrice ?? 0));
  const price = answer.price ?? asked?.amount ?? difference ?? raise(malformed(call, 'price', 'no price came'));
  const taxRates = ratesOf(answer, price, rounded);
  const sum = taxRates.reduce((all, { amount: each = 0 }) => all + each, 0);
  const tax = taxPrice ?? (priceWithTax === null ? rounded(sum) : rounded(priceWithTax - price));
  return {
    ...answer,
    price,
    taxPrice: tax,
    priceWithTax: priceWithTax ?? rounded(price + tax),
    // A line needs a name; the tax includes the amount of a rate without one.
    taxRates: taxRates.filter(({ name }) => name !== ''),
    // A server that names no place and asks for none means the one that it was asked for.
    country: country ?? (needs === undefined ? (place?.country ?? '') : null),
    region: region ?? (country === null ? (place?.region ?? null) : null),
  };
};

type Taxed = { titleId: string; price: Price | null; code?: string; place: Place | null };

/**
 * The price of a title with tax, or of the whole cart without a title.
 * @throws Problem `refused` with `price_changed` or `country_not_served`
 */
const tax = async (api: Api, taxed: Taxed, signal?: AbortSignal): Promise<TaxQuote> => {
  const { titleId, price, code, place } = taxed;
  const query = {
    titleid: titleId || undefined,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    country: place?.country || undefined,
    region: place?.region || undefined,
  };
  const asking = api.client.GET('/tax', { params: { query }, ...api.reading(signal) });
  return completed('tax', await jsonAnswer(api, 'tax', asking, Answer), taxed);
};

/** Where each customer of this browser said to live, for the next purchase. */
const name = () => `colophon.place.${customersKey()}` as const;

/**
 * The price with tax where the customer says to live: now, or at the purchase before. A
 * place that the store no longer sells to is forgotten.
 */
export const taxWhereTheyLive = async (
  api: Api,
  { place, ...request }: Omit<TaxRequest, 'of'> & { code?: string },
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
