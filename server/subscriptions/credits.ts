import type { Database } from '../database/open.ts';
import { book } from '../payment/ledger.ts';
import type { Subscriber } from '../entitlements/held.ts';

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

/**
 * Gives a customer credits, or takes what they spend, inside the caller's transaction; once for each cause.
 * @param amount negative where they are spent
 * @param isBack what was spent comes back
 * @returns false where that cause was booked before
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
  await book(trx, {
    storeId,
    cause: `credits ${userId} ${cause}`,
    currency: 'credits',
    sides: { customer_credits: -amount, [other]: amount },
  });
  return true;
}
