import type { Database } from '../database/open.ts';
import { isCurrency } from '../importing/amounts.ts';
import { lockStore } from '../setup/lock-store.ts';
import { readCurrencies } from '../setup/store-currencies.ts';
import { BadOperation } from '../kernel/bad-operation.ts';
import { type AdminOperation, readIds } from './operation-input.ts';
import { describeOutcome, runOrDryRun } from './dry-run.ts';

/**
 * Each currency in use, with the name of one title, offered plan or campaign that is priced in it.
 */
async function readUsedCurrencies(trx: Database, storeId: string): Promise<Map<string, string>> {
  const titles = await trx
    .selectFrom('prices')
    .select(['currency', 'title_id as id'])
    .where('store_id', '=', storeId)
    .distinctOn('currency')
    .execute();
  const plans = await trx
    .selectFrom('plans')
    .select(['currency', 'id'])
    .where('store_id', '=', storeId)
    .where('active', '=', true)
    .execute();
  const campaigns = await trx
    .selectFrom('campaign_titles')
    .select(['currency', 'campaign_id as id'])
    .where('store_id', '=', storeId)
    .where('currency', 'is not', null)
    .execute();
  return new Map([
    ...campaigns.map(({ currency, id }) => [currency ?? '', `the campaign ${id}`] as const),
    ...plans.map(({ currency, id }) => [currency, `the plan ${id}`] as const),
    ...titles.map(({ currency, id }) => [currency, `the title ${id}`] as const),
  ]);
}

/** Replaces the list of currencies that a store sells in. */
const set: AdminOperation = async ({ db }, store, input) => {
  const newCurrencies = [...new Set(readIds(input, 'currencies'))];
  const invalidCurrency = newCurrencies.find((each) => !isCurrency(each));
  if (newCurrencies.length === 0 || invalidCurrency !== undefined)
    throw new BadOperation(`currencies must be codes of ISO 4217 like EUR,USD, not "${invalidCurrency ?? ''}".`);
  return runOrDryRun(db, input, async (trx) => {
    await lockStore(trx, store);
    const [storeCurrency = '', ...otherCurrencies] = await readCurrencies(trx, store);
    if (!newCurrencies.includes(storeCurrency))
      throw new BadOperation(
        `currencies must include ${storeCurrency}, the store’s own currency, not only ${newCurrencies.join(', ')}.`,
      );
    const usedCurrencies = await readUsedCurrencies(trx, store);
    const missingCurrency = otherCurrencies.find((each) => !newCurrencies.includes(each) && usedCurrencies.has(each));
    if (missingCurrency !== undefined)
      throw new BadOperation(
        `currencies must include ${missingCurrency}: ${usedCurrencies.get(missingCurrency)} has a price in it. Change such prices first.`,
      );
    await trx
      .updateTable('stores')
      .set({ currencies: JSON.stringify(newCurrencies.filter((each) => each !== storeCurrency)) })
      .where('id', '=', store)
      .execute();
    const currencies = (await readCurrencies(trx, store)).join(',');
    return {
      rows: [{ store, currencies }],
      message: describeOutcome(input, `The list of currencies of the store ${store}`, 'set'),
    };
  });
};

/** The currencies that a store sells in: prices in any other are refused. */
export const currencyOperations: Readonly<Record<string, AdminOperation>> = { 'stores set': set };
