import type { Database } from '../database/open.ts';
import { bookEntry } from '../payment/ledger.ts';
import type { Subscriber } from '../entitlements/subscription.ts';

/** Reads the customer's credit balance. */
export async function readBalance(db: Database, { storeId, userId }: Subscriber): Promise<number> {
  const row = await db
    .selectFrom('credits')
    .select((eb) => eb.fn.sum<number | string | null>('amount').as('balance'))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(row?.balance ?? 0);
}

/**
 * Books credits that a customer gets or spends, in the caller's database transaction; once for each
 * cause.
 * @param amount negative for spent credits
 * @param isRefund the credits were spent before
 * @returns false if the cause was booked before
 */
export async function bookCredits(
  trx: Database,
  { storeId, userId }: Subscriber,
  { cause, amount, isRefund = false }: { cause: string; amount: number; isRefund?: boolean },
): Promise<boolean> {
  const insertedRow = await trx
    .insertInto('credits')
    .values({ store_id: storeId, user_id: userId, cause, amount })
    .onConflict((conflict) => conflict.doNothing())
    .returning('amount')
    .executeTakeFirst();
  if (!insertedRow) return false;
  const counterAccount = amount > 0 && !isRefund ? 'credits_issued' : 'credits_spent';
  await bookEntry(trx, {
    storeId,
    cause: `credits ${userId} ${cause}`,
    currency: 'credits',
    sides: { customer_credits: -amount, [counterAccount]: amount },
  });
  return true;
}
