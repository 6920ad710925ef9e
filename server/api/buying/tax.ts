import { toMajor } from '../../base/money.ts';
import type { TaxLocation } from '../../database/schema/payments.ts';
import { sumTaxes, sumAmounts, type OrderLine } from '../../payment/order.ts';
import { readTaxRates, listTaxRegions, addTaxes, type TaxRate } from '../../tax/rates.ts';
import { assertCountryServed, findTaxRegion, readTaxTerms } from '../../tax/tax-order.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { priceCart } from '../../purchases/pay-cart.ts';
import { priceTitle } from '../../purchases/pay-title.ts';
import { toPayer } from '../calls/caller.ts';

/** Converts tax rates to their wire format. */
export const toWireRates = ({ rates }: Pick<TaxLocation, 'rates'>, currency: string) =>
  rates.map(({ name, milliPercent, amountMinor }) => ({
    name,
    percent: milliPercent / 1000,
    amount: toMajor(amountMinor, currency),
  }));

type PricedLines = { lines: OrderLine[]; currency: string };
type TaxPlace = Pick<CustomerCall<'tax'>['query'], 'country' | 'region'>;

/**
 * Computes the price of an order with tax in a place, and the missing part of the place (`needs`).
 */
async function readTaxResponse(
  { services, store }: CustomerCall,
  { lines, currency }: PricedLines,
  place: TaxPlace,
): Answer<'tax'> {
  const { isTaxed, countries } = await readTaxTerms(services.db, store.id);
  assertCountryServed(place.country, countries);
  const toResponse = (taxedLines: OrderLine[], tax: TaxLocation | null) => ({
    price: toMajor(sumAmounts({ lines: taxedLines }), currency),
    taxPrice: toMajor(sumTaxes({ lines: taxedLines }), currency),
    priceWithTax: toMajor(sumAmounts({ lines: taxedLines }) + sumTaxes({ lines: taxedLines }), currency),
    taxRates: toWireRates(tax ?? { rates: [] }, currency),
    currency,
    country: tax?.country ?? null,
    region: tax?.region || null,
    countries,
    regions: [],
  });
  if (!isTaxed) return toResponse(lines, null);
  const onlyCountry = countries.length === 1 ? countries[0] : undefined;
  const country = place.country ?? onlyCountry;
  if (country === undefined) return { ...toResponse(lines, null), needs: 'country' };
  const rates: TaxRate[] = await readTaxRates(services.db, store.id, country);
  const region = findTaxRegion(rates, place.region);
  const taxedOrder =
    region === undefined ? { lines, tax: { country, region: '', rates: [] } } : addTaxes(lines, rates, { country, region });
  return {
    ...toResponse(taxedOrder.lines, taxedOrder.tax),
    regions: listTaxRegions(rates),
    ...(region === undefined ? { needs: 'region' as const } : {}),
  };
}

/** Returns the price with tax of a title, or of the cart, before the payment. */
export async function tax(call: CustomerCall<'tax'>): Answer<'tax'> {
  const { query } = call;
  if (query.titleid === undefined) {
    const { payable, currency } = await priceCart(
      call.services.db,
      { storeId: call.store.id, userId: call.customer.id },
      toPayer(call),
      query,
    );
    return readTaxResponse(call, { lines: payable, currency }, query);
  }
  const { title, price } = await priceTitle(call.services.db, call.store.id, toPayer(call), {
    titleId: query.titleid,
    shownPrice: { amount: query.price, currency: query.currency },
    typedCode: query.code,
  });
  return readTaxResponse(call, { lines: [{ titleId: title.id, amountMinor: price.amount }], currency: price.currency }, query);
}
