import type { Database } from '../database/open.ts';
import type { Subscriber } from './held.ts';

/** The sum of a customer's credit account. */
export async function balanceOf(db: Database, { storeId, userId }: Subscriber): Promise<number> {
  const sum = await db
    .selectFrom('credits')
    .select((eb) => eb.fn.sum<number | string | null>('amount').as('balance'))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(sum?.balance ?? 0);
}
