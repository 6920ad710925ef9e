import { roundToCurrency } from '../../../machines/model/store/currency.ts';
import { Place, toTax, TaxQuote, type Tax, type TaxRate } from '../../../machines/model/buying/tax.ts';
import type { Price } from '../../../machines/model/catalogue/title.ts';
import type { TaxRequest } from '../../../machines/buying/tax.ts';
import { getCustomerKey } from '../../storage/session-storage.ts';
import { writeItem, readItem } from '../../storage/storage.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { malformedProblem, toFetchProblem, throwProblem } from '../wire/problem.ts';
import * as v from 'valibot';

/** The tax in a call that starts a payment; the server refuses it where its own differs. */
export const toTaxQuery = (tax: Tax | null) =>
  tax === null
    ? {}
    : {
        country: tax.place.country,
        region: tax.place.region ?? undefined,
        taxPrice: tax.taxPrice,
        priceWithTax: tax.priceWithTax,
      };

/** The tax, in the form of the payment's confirmation. */
export const toConfirmedTax = (tax: Tax | undefined) =>
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

/** The server's answer; each of price, tax and total can be derived from the other two. */
const TaxResponse = v.object({
  ...TaxQuote.entries,
  price: amount,
  taxPrice: amount,
  priceWithTax: amount,
  taxRates: v.nullish(v.array(v.object({ name: v.nullish(v.string(), ''), percent: amount, amount })), []),
  country: text,
  region: text,
});

type TaxAnswer = v.InferOutput<typeof TaxResponse>;

/**
 * The amount of each rate; they add up to the tax, where that is known. Rates without a percentage
 * are left out.
 */
const getRates = ({ taxRates, taxPrice }: TaxAnswer, price: number, rounded: (sum: number) => number): TaxRate[] => {
  const rates = (taxRates ?? []).flatMap(({ name, percent, amount: amountGiven }) =>
    percent === null ? [] : [{ name, percent, amount: amountGiven ?? rounded((price * percent) / 100) }],
  );
  const [last] = rates.slice(-1);
  const isKnown = (taxRates ?? []).every(({ amount: amountGiven }) => amountGiven !== null);
  if (last !== undefined && taxPrice !== null && !isKnown)
    last.amount = rounded(taxPrice - rates.slice(0, -1).reduce((sum, rate) => sum + rate.amount, 0));
  return rates;
};

/** The answer, completed with the values that follow from it and from the request. */
const completeQuote = (call: string, answer: TaxAnswer, { price: asked, place }: TaxedPurchase): TaxQuote => {
  const rounded = (sum: number): number => roundToCurrency(asked?.currency ?? '', sum);
  const { taxPrice, priceWithTax, needs, country, region } = answer;
  const difference = priceWithTax === null ? null : rounded(priceWithTax - (taxPrice ?? 0));
  const price =
    answer.price ?? asked?.amount ?? difference ?? throwProblem(malformedProblem(call, 'price', 'the answer has no price'));
  const taxRates = getRates(answer, price, rounded);
  const sum = taxRates.reduce((all, { amount: each = 0 }) => all + each, 0);
  const tax = taxPrice ?? (priceWithTax === null ? rounded(sum) : rounded(priceWithTax - price));
  return {
    ...answer,
    price,
    taxPrice: tax,
    priceWithTax: priceWithTax ?? rounded(price + tax),
    // A line needs a name; the total tax includes rates without one.
    taxRates: taxRates.filter(({ name }) => name !== ''),
    // A server that neither names nor needs a place means the requested one.
    country: country ?? (needs === undefined ? (place?.country ?? '') : null),
    region: region ?? (country === null ? (place?.region ?? null) : null),
  };
};

type TaxedPurchase = { titleId: string; price: Price | null; code?: string; place: Place | null };

/**
 * The price of a title with tax, or of the whole cart without a title.
 * @throws Problem `refused` with `price_changed` or `country_not_served`
 */
const fetchTax = async (api: Api, taxed: TaxedPurchase, signal?: AbortSignal): Promise<TaxQuote> => {
  const { titleId, price, code, place } = taxed;
  const query = {
    titleid: titleId || undefined,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    country: place?.country || undefined,
    region: place?.region || undefined,
  };
  const asking = api.client.GET('/tax', { params: { query }, ...api.readOptions(signal) });
  return completeQuote('tax', await readJsonResponse(api, 'tax', asking, TaxResponse), taxed);
};

/** The place of residence that each customer of this browser gave, for the next purchase. */
const storageKey = () => `colophon.place.${getCustomerKey()}` as const;

/**
 * The price with tax at the customer's place: given now, or at the previous purchase. A place that
 * the store no longer sells to is dropped.
 */
export const fetchTaxAtResidence = async (
  api: Api,
  { place, ...request }: Omit<TaxRequest, 'of'> & { code?: string },
  signal: AbortSignal,
): Promise<TaxQuote> => {
  const kept = place === null ? readItem(storageKey(), v.nullable(Place), null) : null;
  try {
    const quote = await fetchTax(api, { ...request, place: place ?? kept }, signal);
    const known = toTax(quote);
    if (known !== null) writeItem(storageKey(), known.place);
    return quote;
  } catch (error) {
    const problem = toFetchProblem(error);
    const isGone = kept !== null && problem.kind === 'refused' && problem.code === 'country_not_served';
    return isGone ? fetchTax(api, { ...request, place: null }, signal) : throwProblem(problem);
  }
};
