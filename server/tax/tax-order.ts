import { DomainError } from '../kernel/errors.ts';
import { nearestMinor, toMajor } from '../base/money.ts';
import { countriesIn, valueOf } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import { type Order, taxOf, totalOf } from '../payment/order.ts';
import { ELSEWHERE, ratesOf, regionsOf, withTaxes, type TaxRate } from './rates.ts';

/** What a call says of tax: where the customer lives, and what they were shown. */
export type TaxTold = {
  country?: string | undefined;
  region?: string | undefined;
  taxPrice?: number | undefined;
  priceWithTax?: number | undefined;
};

/** Whether a store adds tax to its prices, and the countries that it sells to; none for any. */
type TaxTerms = { isTaxed: boolean; countries: string[] };

export async function taxTerms(db: Database, storeId: string): Promise<TaxTerms> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', ['EnableTax', 'PurchaseCountries'])
    .execute();
  const set = (name: string) => valueOf(name, rows.find((row) => row.name === name)?.value);
  return { isTaxed: set('EnableTax') === 'true', countries: countriesIn(set('PurchaseCountries')) };
}

/** @throws DomainError conflict country_not_served */
export function refuseCountry(country: string | undefined, countries: readonly string[]): void {
  if (country !== undefined && countries.length > 0 && !countries.includes(country))
    throw new DomainError('conflict', 'This shop does not sell to this country.', { code: 'country_not_served' });
}

const placeNeeded = (says: string) => new DomainError('conflict', says, { code: 'tax_place' });

/**
 * Where an order is taxed, and by which rates. @throws DomainError conflict tax_place where it is
 * not said, or is unknown
 */
async function placeTold(
  db: Database,
  storeId: string,
  { country, region }: TaxTold,
): Promise<{ rates: TaxRate[]; country: string; region: string }> {
  if (country === undefined) throw placeNeeded('Tax depends on your country. Please choose it.');
  const rates = await ratesOf(db, storeId, country);
  const known = regionTold(rates, region);
  if (known === undefined) throw placeNeeded('Tax depends on your region. Please choose it.');
  return { rates, country, region: known };
}

/** The region on which a country's rates depend, empty where they depend on none; undefined where it has to be said. */
export function regionTold(rates: readonly TaxRate[], region: string | undefined): string | undefined {
  const regions = regionsOf(rates);
  if (regions.length === 0) return '';
  return region === ELSEWHERE || regions.some(({ code }) => code === region) ? region : undefined;
}

/**
 * The order with the tax that the store adds to it: what is charged is the server's own figure, and no other than the customer was
 * shown.
 * @throws DomainError conflict country_not_served, tax_place, or price_changed with the right
 * figures
 */
export async function taxedOrder<Kind extends Order['kind']>(
  db: Database,
  order: Omit<Order, 'tax' | 'kind'> & { kind: Kind },
  told: TaxTold,
): Promise<Order & { kind: Kind }> {
  const { isTaxed, countries } = await taxTerms(db, order.storeId);
  refuseCountry(told.country, countries);
  const taxed = { ...order, tax: null, ...(isTaxed ? await taxesFor(db, order, told) : {}) };
  refuseOtherTax(taxed, told);
  return taxed;
}

async function taxesFor(db: Database, { storeId, lines }: Pick<Order, 'storeId' | 'lines'>, told: TaxTold) {
  const { rates, ...place } = await placeTold(db, storeId, told);
  return withTaxes(lines, rates, place);
}

/** @throws DomainError conflict price_changed */
function refuseOtherTax(order: Pick<Order, 'lines' | 'currency'>, { taxPrice, priceWithTax }: TaxTold): void {
  const { currency } = order;
  const [tax, total] = [taxOf(order), totalOf(order) + taxOf(order)];
  const isOther = (shown: number | undefined, now: number): boolean =>
    shown !== undefined && nearestMinor(shown, currency) !== now;
  if (!isOther(taxPrice, tax) && !isOther(priceWithTax, total)) return;
  const details = {
    price: toMajor(totalOf(order), currency),
    currency,
    taxPrice: toMajor(tax, currency),
    priceWithTax: toMajor(total, currency),
  };
  throw new DomainError('conflict', 'The tax on this purchase has changed.', { code: 'price_changed', details });
}
