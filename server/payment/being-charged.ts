import type { Database } from '../database/open.ts';
import { linesOf } from './order.ts';

/**
 * Of these titles, those for which a payment of the customer's is being charged at this moment, by itself or in a cart. A gift is
 * somebody else's.
 * @param except a payment that is not meant
 */
export async function beingCharged(
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
  const charged = new Set<string>();
  for (const payment of payments) for (const { titleId } of await linesOf(db, payment)) charged.add(titleId);
  return titleIds.filter((id) => charged.has(id));
}
