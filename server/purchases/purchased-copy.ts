import type { Database } from '../database/open.ts';
import { findOwnedCopy } from '../entitlements/ownership.ts';

/**
 * Finds the first title of the transaction, or the title of the purchase, with this id, and the
 * customer's copy of that title (undefined if they have none).
 */
export async function findPurchasedCopy(
  db: Database,
  storeId: string,
  userId: string,
  transId: string,
): Promise<{ titleId: string; instanceId: string | undefined } | undefined> {
  const row = await db
    .selectFrom('transactions')
    .select('title_id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('id', '=', transId)
    .where('title_id', 'is not', null)
    .unionAll(
      db
        .selectFrom('transaction_lines')
        .innerJoin('transactions', (join) =>
          join
            .onRef('transactions.store_id', '=', 'transaction_lines.store_id')
            .onRef('transactions.id', '=', 'transaction_lines.transaction_id'),
        )
        .select('transaction_lines.title_id')
        .where('transactions.store_id', '=', storeId)
        .where('transactions.user_id', '=', userId)
        .where('transactions.id', '=', transId)
        .where('transaction_lines.position', '=', 0),
    )
    .unionAll(
      db
        .selectFrom('purchases')
        .select('title_id')
        .where('store_id', '=', storeId)
        .where('user_id', '=', userId)
        .where('id', '=', transId),
    )
    .executeTakeFirst();
  if (!row?.title_id) return undefined;
  return { titleId: row.title_id, instanceId: await findOwnedCopy(db, { storeId, userId, titleId: row.title_id }) };
}
