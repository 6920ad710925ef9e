import { BadAmount } from '../base/money.ts';
import type { Database } from '../database/open.ts';

type Amount = { amount: number; currency: string };

/** The currencies that a store sells in, its own first. */
export async function readCurrencies(db: Database, storeId: string): Promise<string[]> {
  const { currency, currencies } = await db
    .selectFrom('stores')
    .select(['currency', 'currencies'])
    .where('id', '=', storeId)
    .executeTakeFirstOrThrow();
  return [...new Set([currency, ...currencies])];
}

/**
 * Checks that a store sells in the currency of each amount.
 * @param amounts in the main unit
 * @throws BadAmount that states how to add the currency
 */
export async function requireCurrencies(db: Database, storeId: string, amounts: readonly Amount[]): Promise<void> {
  if (amounts.length === 0) return;
  const soldCurrencies = await readCurrencies(db, storeId);
  const invalidAmount = amounts.find(({ currency }) => !soldCurrencies.includes(currency));
  if (invalidAmount === undefined) return;
  const { amount, currency } = invalidAmount;
  throw new BadAmount(
    `${amount} ${currency}: the store ${storeId} sells in ${soldCurrencies.join(', ')}. To sell in ${currency} too: ` +
      `npm run store -- stores set --store ${storeId} --currencies ${[...soldCurrencies, currency].join(',')}.`,
  );
}
