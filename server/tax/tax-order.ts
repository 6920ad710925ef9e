import { DomainError } from '../kernel/errors.ts';
import { toNearestMinor, toMajor } from '../base/money.ts';
import { parseCountries, toWireValue } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import { type Order, sumTaxes, sumAmounts } from '../payment/order.ts';
import { OTHER_REGION, readTaxRates, listTaxRegions, addTaxes, type TaxRate } from './rates.ts';

/**
 * The tax fields of a request: where the customer lives, and the amounts that the page has shown.
 */
export type TaxFields = {
  country?: string | undefined;
  region?: string | undefined;
  taxPrice?: number | undefined;
  priceWithTax?: number | undefined;
};

/** Whether a store adds tax to its prices, and the countries that it sells to (empty: all). */
type TaxTerms = { isTaxed: boolean; countries: string[] };

export async function readTaxTerms(db: Database, storeId: string): Promise<TaxTerms> {
  const rows = await db
    .selectFrom('properties')
    .select(['name', 'value'])
    .where('store_id', '=', storeId)
    .where('name', 'in', ['EnableTax', 'PurchaseCountries'])
    .execute();
  const set = (name: string) => toWireValue(name, rows.find((row) => row.name === name)?.value);
  return { isTaxed: set('EnableTax') === 'true', countries: parseCountries(set('PurchaseCountries')) };
}

/** @throws DomainError conflict country_not_served */
export function assertCountryServed(country: string | undefined, countries: readonly string[]): void {
  if (country !== undefined && countries.length > 0 && !countries.includes(country))
    throw new DomainError('conflict', 'This shop does not sell to this country.', { code: 'country_not_served' });
}

const placeNeededError = (says: string) => new DomainError('conflict', says, { code: 'tax_place' });

/**
 * The place of taxation and its rates.
 * @throws DomainError conflict tax_place if it is missing or unknown
 */
async function placeOf(
  db: Database,
  storeId: string,
  { country, region }: TaxFields,
): Promise<{ rates: TaxRate[]; country: string; region: string }> {
  if (country === undefined) throw placeNeededError('Tax depends on your country. Please choose it.');
  const rates = await readTaxRates(db, storeId, country);
  const known = regionOf(rates, region);
  if (known === undefined) throw placeNeededError('Tax depends on your region. Please choose it.');
  return { rates, country, region: known };
}

/**
 * The region that determines a country's rates; empty if no rate depends on it, undefined if it is
 * missing or unknown.
 */
export function regionOf(rates: readonly TaxRate[], region: string | undefined): string | undefined {
  const regions = listTaxRegions(rates);
  if (regions.length === 0) return '';
  return region === OTHER_REGION || regions.some(({ code }) => code === region) ? region : undefined;
}

/**
 * Adds the store's tax to an order. The server charges its own amounts, and nothing if the customer
 * saw others.
 * @throws DomainError conflict country_not_served, tax_place, or price_changed with the correct
 * amounts
 */
export async function addTaxToOrder<Kind extends Order['kind']>(
  db: Database,
  order: Omit<Order, 'tax' | 'kind'> & { kind: Kind },
  given: TaxFields,
): Promise<Order & { kind: Kind }> {
  const { isTaxed, countries } = await readTaxTerms(db, order.storeId);
  assertCountryServed(given.country, countries);
  const taxed = { ...order, tax: null, ...(isTaxed ? await readTaxes(db, order, given) : {}) };
  assertTaxUnchanged(taxed, given);
  return taxed;
}

async function readTaxes(db: Database, { storeId, lines }: Pick<Order, 'storeId' | 'lines'>, given: TaxFields) {
  const { rates, ...place } = await placeOf(db, storeId, given);
  return addTaxes(lines, rates, place);
}

/** @throws DomainError conflict price_changed */
function assertTaxUnchanged(order: Pick<Order, 'lines' | 'currency'>, { taxPrice, priceWithTax }: TaxFields): void {
  const { currency } = order;
  const [tax, total] = [sumTaxes(order), sumAmounts(order) + sumTaxes(order)];
  const isOther = (shown: number | undefined, now: number): boolean =>
    shown !== undefined && toNearestMinor(shown, currency) !== now;
  if (!isOther(taxPrice, tax) && !isOther(priceWithTax, total)) return;
  const details = {
    price: toMajor(sumAmounts(order), currency),
    currency,
    taxPrice: toMajor(tax, currency),
    priceWithTax: toMajor(total, currency),
  };
  throw new DomainError('conflict', 'The tax on this purchase has changed.', { code: 'price_changed', details });
}
