import { OTHER_REGION } from '../tax/rates.ts';
import { readTaxTerms } from '../tax/tax-order.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type OperationInput, hasInput, type AdminOperation, readText } from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

function readCountry(input: OperationInput): string {
  const country = readText(input, 'country').toUpperCase();
  const isCountry = /^[A-Z]{2}$/.test(country) && new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }).of(country);
  if (!isCountry) throw new BadOperation(`country must be an ISO 3166 code like FR or US, not "${country}".`);
  return country;
}

/**
 * A region of the country: the part of its ISO 3166-2 code after the country; empty for the whole
 * country.
 */
function readRegion(input: OperationInput): string {
  if (!hasInput(input, 'region')) return '';
  const region = readText(input, 'region').toUpperCase();
  if (!/^[A-Z0-9-]{1,10}$/.test(region) || region === OTHER_REGION.toUpperCase())
    throw new BadOperation(`region must be a code of at most 10 letters and digits or hyphens, like CA, not "${region}".`);
  return region;
}

/** Parses a percentage into an integer: 1000 is 1 %. */
function readMilliPercent(input: OperationInput): number {
  const text = readText(input, 'percent');
  const milliPercent = /^\d{1,3}(?:\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1000) : NaN;
  if (!(milliPercent <= 100_000)) throw new BadOperation(`percent must be a number from 0 to 100 like 7.25, not "${text}".`);
  return milliPercent;
}

const formatTaxRegion = (country: string, region: string): string => (region === '' ? country : `${country}-${region}`);

const set: AdminOperation = async ({ db }, store, input) => {
  const [country, region, name] = [readCountry(input), readRegion(input), readText(input, 'name').trim()];
  if (name === '') throw new BadOperation('name must be the tax as customers read it, like VAT.');
  const milliPercent = readMilliPercent(input);
  if (hasInput(input, 'regionName') && region === '') throw new BadOperation('region-name requires --region.');
  const regionName = hasInput(input, 'regionName') ? readText(input, 'regionName') : undefined;
  return runOrDryRun(db, input, async (trx) => {
    const rate = { store_id: store, country, region, name, milli_percent: milliPercent, region_name: regionName ?? '' };
    await trx
      .insertInto('tax_rates')
      .values(rate)
      .onConflict((conflict) =>
        conflict.columns(['store_id', 'country', 'region', 'name']).doUpdateSet({ milli_percent: milliPercent }),
      )
      .execute();
    // All rates of a region share its name.
    if (regionName !== undefined)
      await trx
        .updateTable('tax_rates')
        .set({ region_name: regionName })
        .where('store_id', '=', store)
        .where('country', '=', country)
        .where('region', '=', region)
        .execute();
    const { isTaxed } = await readTaxTerms(trx, store);
    const hint = isTaxed ? '' : ' It is added once EnableTax is set: npm run store -- properties set --set EnableTax=true';
    return {
      rows: [{ country, region, name, percent: milliPercent / 1000 }],
      message: describeOutcome(input, `${name} of ${milliPercent / 1000} % in ${formatTaxRegion(country, region)}`, 'set') + hint,
    };
  });
};

const remove: AdminOperation = async ({ db }, store, input) => {
  const [country, region, name] = [readCountry(input), readRegion(input), readText(input, 'name')];
  return runOrDryRun(db, input, async (trx) => {
    const removedRate = await trx
      .deleteFrom('tax_rates')
      .where('store_id', '=', store)
      .where('country', '=', country)
      .where('region', '=', region)
      .where('name', '=', name)
      .returning('name')
      .executeTakeFirst();
    if (!removedRate) throw new BadOperation(`The store ${store} has no ${name} in ${formatTaxRegion(country, region)}.`);
    return { rows: [], message: describeOutcome(input, `${name} in ${formatTaxRegion(country, region)}`, 'removed') };
  });
};

const list: AdminOperation = async ({ db }, store) => {
  const rows = await db
    .selectFrom('tax_rates')
    .selectAll()
    .where('store_id', '=', store)
    .orderBy('country')
    .orderBy('region')
    .orderBy('name')
    .execute();
  const { isTaxed } = await readTaxTerms(db, store);
  return {
    rows: rows.map((row) => ({
      country: row.country,
      region: row.region,
      'region name': row.region_name,
      name: row.name,
      percent: row.milli_percent / 1000,
    })),
    message: isTaxed ? `The store ${store} adds tax to its prices.` : `The store ${store} adds no tax: EnableTax is off.`,
  };
};

/**
 * The tax rates that a store adds to its prices. A payment that was started at another rate is
 * started again.
 */
export const taxOperations: Readonly<Record<string, AdminOperation>> = {
  'taxes set': set,
  'taxes remove': remove,
  'taxes list': list,
};
