import type { Database } from '../database/open.ts';
import { ownedCopy } from '../entitlements/ownership.ts';

/** The title that a transaction is about, the first of several, or the one that a free purchase of that id granted, and the customer's copy of it. */
export async function purchasedCopy(
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
  return { titleId: row.title_id, instanceId: await ownedCopy(db, { storeId, userId, titleId: row.title_id }) };
}
