import type { Database } from '../database/open.ts';

/** Lets what is done for one customer in transactions wait for each other, until this transaction ends. */
export async function lockCustomer(trx: Database, storeId: string, userId: string): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
