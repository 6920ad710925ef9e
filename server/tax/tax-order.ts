import { DomainError } from '../kernel/errors.ts';
import { toNearestMinor, toMajor } from '../base/money.ts';
import { parseCountries, toWireValue } from '../stores/store-properties.ts';
import type { Database } from '../database/open.ts';
import { type Order, sumTaxes, sumAmounts } from '../payment/order.ts';
import { OTHER_REGION, readTaxRates, listTaxRegions, addTaxes, type TaxRate } from './rates.ts';

/**
 * The tax fields of a request: the customer's country and region, and the amounts that the page has
 * shown.
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
  const readValue = (name: string) => toWireValue(name, rows.find((row) => row.name === name)?.value);
  return { isTaxed: readValue('EnableTax') === 'true', countries: parseCountries(readValue('PurchaseCountries')) };
}

/** @throws DomainError conflict country_not_served */
export function assertCountryServed(country: string | undefined, countries: readonly string[]): void {
  if (country !== undefined && countries.length > 0 && !countries.includes(country))
    throw new DomainError('conflict', 'This shop does not sell to this country.', { code: 'country_not_served' });
}

const placeNeededError = (message: string) => new DomainError('conflict', message, { code: 'tax_place' });

/**
 * Finds the place of taxation and the rates of its country.
 * @throws DomainError conflict tax_place if the country is missing, or its region missing or
 * unknown
 */
async function findTaxPlace(
  db: Database,
  storeId: string,
  { country, region }: TaxFields,
): Promise<{ rates: TaxRate[]; country: string; region: string }> {
  if (country === undefined) throw placeNeededError('Tax depends on your country. Please choose it.');
  const rates = await readTaxRates(db, storeId, country);
  const taxRegion = findTaxRegion(rates, region);
  if (taxRegion === undefined) throw placeNeededError('Tax depends on your region. Please choose it.');
  return { rates, country, region: taxRegion };
}

/**
 * Returns the region that selects a country's rates; empty if no rate depends on the region,
 * undefined if the region is missing or unknown.
 */
export function findTaxRegion(rates: readonly TaxRate[], region: string | undefined): string | undefined {
  const regions = listTaxRegions(rates);
  if (regions.length === 0) return '';
  return region === OTHER_REGION || regions.some(({ code }) => code === region) ? region : undefined;
}

/**
 * Adds the store's tax to an order. The server charges its own amounts, and refuses the order if
 * the page has shown others.
 * @throws DomainError conflict country_not_served, tax_place, or price_changed with the correct
 * amounts
 */
export async function addTaxToOrder<Kind extends Order['kind']>(
  db: Database,
  order: Omit<Order, 'tax' | 'kind'> & { kind: Kind },
  taxFields: TaxFields,
): Promise<Order & { kind: Kind }> {
  const { isTaxed, countries } = await readTaxTerms(db, order.storeId);
  assertCountryServed(taxFields.country, countries);
  const taxedOrder = { ...order, tax: null, ...(isTaxed ? await readTaxes(db, order, taxFields) : {}) };
  assertTaxUnchanged(taxedOrder, taxFields);
  return taxedOrder;
}

async function readTaxes(db: Database, { storeId, lines }: Pick<Order, 'storeId' | 'lines'>, taxFields: TaxFields) {
  const { rates, ...place } = await findTaxPlace(db, storeId, taxFields);
  return addTaxes(lines, rates, place);
}

/** @throws DomainError conflict price_changed if the page has shown another tax or total */
function assertTaxUnchanged(order: Pick<Order, 'lines' | 'currency'>, { taxPrice, priceWithTax }: TaxFields): void {
  const { currency } = order;
  const [tax, total] = [sumTaxes(order), sumAmounts(order) + sumTaxes(order)];
  const differs = (shown: number | undefined, current: number): boolean =>
    shown !== undefined && toNearestMinor(shown, currency) !== current;
  if (!differs(taxPrice, tax) && !differs(priceWithTax, total)) return;
  const details = {
    price: toMajor(sumAmounts(order), currency),
    currency,
    taxPrice: toMajor(tax, currency),
    priceWithTax: toMajor(total, currency),
  };
  throw new DomainError('conflict', 'The tax on this purchase has changed.', { code: 'price_changed', details });
}
