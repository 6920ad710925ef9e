import type { Database } from '../database/open.ts';
import { bookEntry } from '../payment/ledger.ts';
import type { Subscriber } from '../entitlements/held.ts';

/** The customer's credit balance. */
export async function readBalance(db: Database, { storeId, userId }: Subscriber): Promise<number> {
  const sum = await db
    .selectFrom('credits')
    .select((eb) => eb.fn.sum<number | string | null>('amount').as('balance'))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(sum?.balance ?? 0);
}

/**
 * Books credits that a customer gets or spends, in the caller's database transaction; once for each
 * cause.
 * @param amount negative for spent credits
 * @param isBack the credits are a refund of spent ones
 * @returns false if the cause was booked before
 */
export async function bookCredits(
  trx: Database,
  { storeId, userId }: Subscriber,
  { cause, amount, isBack = false }: { cause: string; amount: number; isBack?: boolean },
): Promise<boolean> {
  const booked = await trx
    .insertInto('credits')
    .values({ store_id: storeId, user_id: userId, cause, amount })
    .onConflict((conflict) => conflict.doNothing())
    .returning('amount')
    .executeTakeFirst();
  if (!booked) return false;
  const other = amount > 0 && !isBack ? 'credits_issued' : 'credits_spent';
  await bookEntry(trx, {
    storeId,
    cause: `credits ${userId} ${cause}`,
    currency: 'credits',
    sides: { customer_credits: -amount, [other]: amount },
  });
  return true;
}
