import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { TaxedPlace } from '../database/schema/payments.ts';
import type { OrderLine } from '../payment/order.ts';

/** A rate as the store has it; `region` is empty where it holds in all of the country. */
export type TaxRate = { region: string; regionName: string; name: string; milliPercent: number };

/** Chosen by those who live in none of the regions that a country's rates name. */
export const ELSEWHERE = 'other';

/** The rates of a country, those of all of it first. */
export const ratesOf = (db: Database, storeId: string, country: string): Promise<TaxRate[]> =>
  db
    .selectFrom('tax_rates')
    .select(['region', 'region_name as regionName', 'name', 'milli_percent as milliPercent'])
    .where('store_id', '=', storeId)
    .where('country', '=', country)
    .orderBy('region')
    .orderBy(sql`name collate "C"`)
    .execute();

/** The regions on which a country's rates depend, by their names; none where they hold in all of it. */
export function regionsOf(rates: readonly TaxRate[]): { code: string; name: string }[] {
  const names = new Map(
    rates.flatMap(({ region, regionName }) => (region === '' ? [] : [[region, regionName || region] as const])),
  );
  return [...names].map(([code, name]) => ({ code, name })).toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** The rate of an amount, rounded to the smallest unit, a half up. */
const taxOn = (amountMinor: number, { milliPercent }: TaxRate): number => Math.round((amountMinor * milliPercent) / 100_000);

/**
 * What an order costs with tax, which is added to its prices: by each rate that holds in a place, on each title by itself, so that what
 * a title has cost can be told.
 */
export function withTaxes(
  lines: readonly OrderLine[],
  all: readonly TaxRate[],
  { country, region }: Pick<TaxedPlace, 'country' | 'region'>,
): { lines: OrderLine[]; tax: TaxedPlace } {
  const rates = all.filter((rate) => rate.region === '' || rate.region === region);
  const sum = (amounts: number[]): number => amounts.reduce((one, other) => one + other, 0);
  return {
    lines: lines.map((line) => ({ ...line, taxMinor: sum(rates.map((rate) => taxOn(line.amountMinor, rate))) })),
    tax: {
      country,
      region,
      rates: rates.map((rate) => ({
        name: rate.name,
        milliPercent: rate.milliPercent,
        amountMinor: sum(lines.map((line) => taxOn(line.amountMinor, rate))),
      })),
    },
  };
}
