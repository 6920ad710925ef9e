import { toMajor } from '../../base/money.ts';
import type { TaxedPlace } from '../../database/schema/payments.ts';
import { taxOf, totalOf, type OrderLine } from '../../payment/order.ts';
import { ratesOf, regionsOf, withTaxes, type TaxRate } from '../../tax/rates.ts';
import { refuseCountry, regionTold, taxTerms } from '../../tax/tax-order.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { pricedCart } from '../../purchases/pay-cart.ts';
import { pricedTitle } from '../../purchases/pay-title.ts';
import { payerOf } from '../calls/caller.ts';

/** Rates as the wire has them. */
export const ratesTold = ({ rates }: Pick<TaxedPlace, 'rates'>, currency: string) =>
  rates.map(({ name, milliPercent, amountMinor }) => ({
    name,
    percent: milliPercent / 1000,
    amount: toMajor(amountMinor, currency),
  }));

type Priced = { lines: OrderLine[]; currency: string };
type Place = Pick<CustomerCall<'tax'>['query'], 'country' | 'region'>;

/** What an order costs with tax in a place; what has still to be said of the place, where that is not known. */
async function taxTold({ services, store }: CustomerCall, { lines, currency }: Priced, place: Place): Answer<'tax'> {
  const { isTaxed, countries } = await taxTerms(services.db, store.id);
  refuseCountry(place.country, countries);
  const answer = (taxed: OrderLine[], tax: TaxedPlace | null) => ({
    price: toMajor(totalOf({ lines: taxed }), currency),
    taxPrice: toMajor(taxOf({ lines: taxed }), currency),
    priceWithTax: toMajor(totalOf({ lines: taxed }) + taxOf({ lines: taxed }), currency),
    taxRates: ratesTold(tax ?? { rates: [] }, currency),
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
  const rates: TaxRate[] = await ratesOf(services.db, store.id, country);
  const region = regionTold(rates, place.region);
  const taxed =
    region === undefined ? { lines, tax: { country, region: '', rates: [] } } : withTaxes(lines, rates, { country, region });
  return {
    ...answer(taxed.lines, taxed.tax),
    regions: regionsOf(rates),
    ...(region === undefined ? { needs: 'region' as const } : {}),
  };
}

/** What a title, or the cart, costs with tax, before it is paid. */
export async function tax(call: CustomerCall<'tax'>): Answer<'tax'> {
  const { query } = call;
  if (query.titleid === undefined) {
    const { payable, currency } = await pricedCart(
      call.services.db,
      { storeId: call.store.id, userId: call.customer.id },
      payerOf(call),
      query,
    );
    return taxTold(call, { lines: payable, currency }, query);
  }
  const { title, price } = await pricedTitle(call.services.db, call.store.id, payerOf(call), {
    titleId: query.titleid,
    shown: { amount: query.price, currency: query.currency },
    typedCode: query.code,
  });
  return taxTold(call, { lines: [{ titleId: title.id, amountMinor: price.amount }], currency: price.currency }, query);
}
