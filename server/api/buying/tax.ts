import { toMajor } from '../../base/money.ts';
import type { TaxedPlace } from '../../database/schema/payments.ts';
import { sumTaxes, sumAmounts, type OrderLine } from '../../payment/order.ts';
import { readTaxRates, listTaxRegions, addTaxes, type TaxRate } from '../../tax/rates.ts';
import { assertCountryServed, regionOf, readTaxTerms } from '../../tax/tax-order.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { priceCart } from '../../purchases/pay-cart.ts';
import { priceTitle } from '../../purchases/pay-title.ts';
import { toPayer } from '../calls/caller.ts';

/** Tax rates in their wire format. */
export const shownRates = ({ rates }: Pick<TaxedPlace, 'rates'>, currency: string) =>
  rates.map(({ name, milliPercent, amountMinor }) => ({
    name,
    percent: milliPercent / 1000,
    amount: toMajor(amountMinor, currency),
  }));

type PricedLines = { lines: OrderLine[]; currency: string };
type Place = Pick<CustomerCall<'tax'>['query'], 'country' | 'region'>;

/** The price of an order with tax in a place; or the parts of the place that are still needed. */
async function shownTax({ services, store }: CustomerCall, { lines, currency }: PricedLines, place: Place): Answer<'tax'> {
  const { isTaxed, countries } = await readTaxTerms(services.db, store.id);
  assertCountryServed(place.country, countries);
  const answer = (taxed: OrderLine[], tax: TaxedPlace | null) => ({
    price: toMajor(sumAmounts({ lines: taxed }), currency),
    taxPrice: toMajor(sumTaxes({ lines: taxed }), currency),
    priceWithTax: toMajor(sumAmounts({ lines: taxed }) + sumTaxes({ lines: taxed }), currency),
    taxRates: shownRates(tax ?? { rates: [] }, currency),
    currency,
    country: tax?.country ?? null,
    region: tax?.region || null,
    countries,
    regions: [],
  });
  if (!isTaxed) return answer(lines, null);
  const only = countries.length === 1 ? countries[0] : undefined;
  const country = place.country ?? only;
  if (country === undefined) return { ...answer(lines, null), needs: 'country' };
  const rates: TaxRate[] = await readTaxRates(services.db, store.id, country);
  const region = regionOf(rates, place.region);
  const taxed =
    region === undefined ? { lines, tax: { country, region: '', rates: [] } } : addTaxes(lines, rates, { country, region });
  return {
    ...answer(taxed.lines, taxed.tax),
    regions: listTaxRegions(rates),
    ...(region === undefined ? { needs: 'region' as const } : {}),
  };
}

/** The price of a title, or of the cart, with tax, before it is paid. */
export async function tax(call: CustomerCall<'tax'>): Answer<'tax'> {
  const { query } = call;
  if (query.titleid === undefined) {
    const { payable, currency } = await priceCart(
      call.services.db,
      { storeId: call.store.id, userId: call.customer.id },
      toPayer(call),
      query,
    );
    return shownTax(call, { lines: payable, currency }, query);
  }
  const { title, price } = await priceTitle(call.services.db, call.store.id, toPayer(call), {
    titleId: query.titleid,
    shown: { amount: query.price, currency: query.currency },
    typedCode: query.code,
  });
  return shownTax(call, { lines: [{ titleId: title.id, amountMinor: price.amount }], currency: price.currency }, query);
}
