import { ELSEWHERE } from '../tax/rates.ts';
import { taxTerms } from '../tax/tax-order.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type Given, has, type Operation, textOf } from './given.ts';
import { saysDone, tryOut } from './try-out.ts';

function countryOf(given: Given): string {
  const country = textOf(given, 'country').toUpperCase();
  const isCountry = /^[A-Z]{2}$/.test(country) && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country);
  if (!isCountry) throw new BadOperation(`country must be an ISO 3166 code like FR or US, not "${country}".`);
  return country;
}

/** A part of the country, by the code that ISO 3166-2 has for it after the country's; empty for all of it. */
function regionOf(given: Given): string {
  if (!has(given, 'region')) return '';
  const region = textOf(given, 'region').toUpperCase();
  if (!/^[A-Z0-9-]{1,10}$/.test(region) || region === ELSEWHERE.toUpperCase())
    throw new BadOperation(`region must be a code of at most 10 letters and figures, like CA, not "${region}".`);
  return region;
}

/** Thousandths of a percent. */
function milliPercentOf(given: Given): number {
  const text = textOf(given, 'percent');
  const milliPercent = /^\d{1,3}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : NaN;
  if (!(milliPercent <= 100_000)) throw new BadOperation(`percent must be a number from 0 to 100 like 7.25, not "${text}".`);
  return milliPercent;
}

const placeText = (country: string, region: string): string => (region === '' ? country : `${country}-${region}`);

const set: Operation = async ({ db }, store, given) => {
  const [country, region, name] = [countryOf(given), regionOf(given), textOf(given, 'name').trim()];
  if (name === '') throw new BadOperation('name must say what customers see beside the tax, like VAT.');
  const milliPercent = milliPercentOf(given);
  if (has(given, 'regionName') && region === '') throw new BadOperation('region-name names a region: give --region as well.');
  const regionName = has(given, 'regionName') ? textOf(given, 'regionName') : undefined;
  return tryOut(db, given, async (trx) => {
    const rate = { store_id: store, country, region, name, milli_percent: milliPercent, region_name: regionName ?? '' };
    await trx
      .insertInto('tax_rates')
      .values(rate)
      .onConflict((conflict) =>
        conflict.columns(['store_id', 'country', 'region', 'name']).doUpdateSet({ milli_percent: milliPercent }),
      )
      .execute();
    // A region is called the same by all of its rates.
    if (regionName !== undefined)
      await trx
        .updateTable('tax_rates')
        .set({ region_name: regionName })
        .where('store_id', '=', store)
        .where('country', '=', country)
        .where('region', '=', region)
        .execute();
    const { isTaxed } = await taxTerms(trx, store);
    const off = isTaxed ? '' : ' It is added once EnableTax is set: npm run store -- properties set --set EnableTax=true';
    return {
      rows: [{ country, region, name, percent: milliPercent / 1000 }],
      says: saysDone(given, `${name} of ${milliPercent / 1000} % in ${placeText(country, region)}`, 'set') + off,
    };
  });
};

const remove: Operation = async ({ db }, store, given) => {
  const [country, region, name] = [countryOf(given), regionOf(given), textOf(given, 'name')];
  return tryOut(db, given, async (trx) => {
    const removed = await trx
      .deleteFrom('tax_rates')
      .where('store_id', '=', store)
      .where('country', '=', country)
      .where('region', '=', region)
      .where('name', '=', name)
      .returning('name')
      .executeTakeFirst();
    if (!removed) throw new BadOperation(`The store ${store} has no ${name} in ${placeText(country, region)}.`);
    return { rows: [], says: saysDone(given, `${name} in ${placeText(country, region)}`, 'removed') };
  });
};

const list: Operation = async ({ db }, store) => {
  const rows = await db
    .selectFrom('tax_rates')
    .selectAll()
    .where('store_id', '=', store)
    .orderBy('country')
    .orderBy('region')
    .orderBy('name')
    .execute();
  const { isTaxed } = await taxTerms(db, store);
  return {
    rows: rows.map((row) => ({
      country: row.country,
      region: row.region,
      'region name': row.region_name,
      name: row.name,
      percent: row.milli_percent / 1000,
    })),
    says: isTaxed ? `The store ${store} adds tax to its prices.` : `The store ${store} adds no tax: EnableTax is off.`,
  };
};

/** The rates of tax that a store adds to its prices. A payment that was begun at another rate is begun anew. */
export const taxOperations: Readonly<Record<string, Operation>> = {
  'taxes set': set,
  'taxes remove': remove,
  'taxes list': list,
};
