import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { TaxLocation } from '../database/schema/payments.ts';
import type { OrderLine } from '../payment/order.ts';

/**
 * A store's tax rate in a country, in units of 0.001 %; `region` is empty if the rate
 * applies in the whole country.
 */
export type TaxRate = { region: string; regionName: string; name: string; milliPercent: number };

/** The region of customers who live outside all regions that have rates. */
export const OTHER_REGION = 'other';

/** Reads the tax rates of a country, those of the whole country first. */
export const readTaxRates = (db: Database, storeId: string, country: string): Promise<TaxRate[]> =>
  db
    .selectFrom('tax_rates')
    .select(['region', 'region_name as regionName', 'name', 'milli_percent as milliPercent'])
    .where('store_id', '=', storeId)
    .where('country', '=', country)
    .orderBy('region')
    .orderBy(sql`name collate "C"`)
    .execute();

/**
 * Lists a country's regions that have rates, by name; empty if all rates apply in the whole
 * country.
 */
export function listTaxRegions(rates: readonly TaxRate[]): { code: string; name: string }[] {
  const names = new Map(
    rates.flatMap(({ region, regionName }) => (region === '' ? [] : [[region, regionName || region] as const])),
  );
  return [...names].map(([code, name]) => ({ code, name })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Computes the tax on an amount, rounded half up to the smallest unit. */
const computeTax = (amountMinor: number, { milliPercent }: TaxRate): number => Math.round((amountMinor * milliPercent) / 100_000);

/**
 * Adds tax to an order's net prices: each rate that applies in the place, on each title separately,
 * so that every title has its own gross price.
 */
export function addTaxes(
  lines: readonly OrderLine[],
  allRates: readonly TaxRate[],
  { country, region }: Pick<TaxLocation, 'country' | 'region'>,
): { lines: OrderLine[]; tax: TaxLocation } {
  const rates = allRates.filter((rate) => rate.region === '' || rate.region === region);
  const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);
  return {
    lines: lines.map((line) => ({ ...line, taxMinor: sum(rates.map((rate) => computeTax(line.amountMinor, rate))) })),
    tax: {
      country,
      region,
      rates: rates.map((rate) => ({
        name: rate.name,
        milliPercent: rate.milliPercent,
        amountMinor: sum(lines.map((line) => computeTax(line.amountMinor, rate))),
      })),
    },
  };
}
