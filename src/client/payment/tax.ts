import { roundToCurrency } from '../../../machines/model/store/currency.ts';
import { TaxLocation, toTax, TaxQuote, type Tax, type TaxRate } from '../../../machines/model/buying/tax.ts';
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

/** The tax in the call that confirms a payment. */
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

const OptionalAmount = v.nullish(v.number(), null);
const OptionalText = v.nullish(v.string(), null);

/** The server's answer; each of price, tax and total can be derived from the other two. */
const TaxResponse = v.object({
  ...TaxQuote.entries,
  price: OptionalAmount,
  taxPrice: OptionalAmount,
  priceWithTax: OptionalAmount,
  taxRates: v.nullish(
    v.array(v.object({ name: v.nullish(v.string(), ''), percent: OptionalAmount, amount: OptionalAmount })),
    [],
  ),
  country: OptionalText,
  region: OptionalText,
});

type TaxAnswer = v.InferOutput<typeof TaxResponse>;

/**
 * The rates with their amounts, which add up to the tax, where that is known. Rates without a
 * percentage are left out.
 */
const getRates = ({ taxRates, taxPrice }: TaxAnswer, price: number, round: (sum: number) => number): TaxRate[] => {
  const rates = (taxRates ?? []).flatMap(({ name, percent, amount: statedAmount }) =>
    percent === null ? [] : [{ name, percent, amount: statedAmount ?? round((price * percent) / 100) }],
  );
  const [last] = rates.slice(-1);
  const isKnown = (taxRates ?? []).every(({ amount: statedAmount }) => statedAmount !== null);
  if (last !== undefined && taxPrice !== null && !isKnown)
    last.amount = round(taxPrice - rates.slice(0, -1).reduce((sum, rate) => sum + rate.amount, 0));
  return rates;
};

/** The answer, with missing values derived from the others and from the request. */
const completeQuote = (call: string, answer: TaxAnswer, { price: requestedPrice, place }: TaxedPurchase): TaxQuote => {
  const round = (sum: number): number => roundToCurrency(requestedPrice?.currency ?? '', sum);
  const { taxPrice, priceWithTax, needs, country, region } = answer;
  const difference = priceWithTax === null ? null : round(priceWithTax - (taxPrice ?? 0));
  const price =
    answer.price ??
    requestedPrice?.amount ??
    difference ??
    throwProblem(malformedProblem(call, 'price', 'the answer has no price'));
  const taxRates = getRates(answer, price, round);
  const sum = taxRates.reduce((total, { amount: each = 0 }) => total + each, 0);
  const tax = taxPrice ?? (priceWithTax === null ? round(sum) : round(priceWithTax - price));
  return {
    ...answer,
    price,
    taxPrice: tax,
    priceWithTax: priceWithTax ?? round(price + tax),
    // A line needs a name; the total tax includes rates without one.
    taxRates: taxRates.filter(({ name }) => name !== ''),
    // A server that neither names nor needs a place means the requested one.
    country: country ?? (needs === undefined ? (place?.country ?? '') : null),
    region: region ?? (country === null ? (place?.region ?? null) : null),
  };
};

type TaxedPurchase = { titleId: string; price: Price | null; code?: string; place: TaxLocation | null };

/**
 * The price with tax of a title, or of the whole cart where `titleId` is empty.
 * @throws Problem `refused` with `price_changed`, `country_not_served`, `not_for_sale`,
 * `cart_empty` or `code_…`
 */
const fetchTax = async (api: Api, purchase: TaxedPurchase, signal?: AbortSignal): Promise<TaxQuote> => {
  const { titleId, price, code, place } = purchase;
  const query = {
    titleid: titleId || undefined,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    country: place?.country || undefined,
    region: place?.region || undefined,
  };
  const responsePromise = api.client.GET('/tax', { params: { query }, ...api.readOptions(signal) });
  return completeQuote('tax', await readJsonResponse(api, 'tax', responsePromise, TaxResponse), purchase);
};

/** The key of the customer's place of residence, as stored with the latest tax quote. */
const getStorageKey = () => `colophon.place.${getCustomerKey()}` as const;

/**
 * The price with tax at the customer's place: given now, or stored with an earlier quote. A stored
 * place that the store no longer sells to is left out of the call.
 */
export const fetchTaxAtResidence = async (
  api: Api,
  { place, ...request }: Omit<TaxRequest, 'of'> & { code?: string },
  signal: AbortSignal,
): Promise<TaxQuote> => {
  const storedPlace = place === null ? readItem(getStorageKey(), v.nullable(TaxLocation), null) : null;
  try {
    const quote = await fetchTax(api, { ...request, place: place ?? storedPlace }, signal);
    const tax = toTax(quote);
    if (tax !== null) writeItem(getStorageKey(), tax.place);
    return quote;
  } catch (error) {
    const problem = toFetchProblem(error);
    const isPlaceRefused = storedPlace !== null && problem.kind === 'refused' && problem.code === 'country_not_served';
    return isPlaceRefused ? fetchTax(api, { ...request, place: null }, signal) : throwProblem(problem);
  }
};
