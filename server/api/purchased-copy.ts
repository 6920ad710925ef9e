import type { Database } from '../database/open.ts';
import { ownedCopy } from '../payment/ownership.ts';

/** The title that a transaction is about, or that a free purchase of that id granted, and the customer's copy of it. */
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
