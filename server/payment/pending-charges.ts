import type { Database } from '../database/open.ts';
import { readLines } from './order.ts';

/**
 * Returns the titles among `titleIds` that one of the customer's payments is capturing now, alone
 * or in a cart. Gifts are left out: another person gets them.
 * @param except id of a transaction to leave out
 */
export async function findTitlesBeingCharged(
  db: Database,
  { storeId, userId, except }: { storeId: string; userId: string; except?: string },
  titleIds: readonly string[],
): Promise<string[]> {
  const payments = await db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', '=', 'capturing')
    .where('kind', '<>', 'gift')
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .execute();
  const chargedTitleIds = new Set<string>();
  for (const payment of payments) for (const { titleId } of await readLines(db, payment)) chargedTitleIds.add(titleId);
  return titleIds.filter((id) => chargedTitleIds.has(id));
}
