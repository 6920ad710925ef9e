import { sql } from 'kysely';
import { notFound } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { codeUsedError, assertCodeUsable, type Code } from './find-code.ts';

type CodeKey = Pick<Code, 'store_id' | 'code'>;

/**
 * Consumes one use of a code, in the caller's database transaction.
 * @throws DomainError not_found; conflict code_withdrawn, code_used or code_expired
 */
export async function consumeCode(trx: Database, { store_id, code }: CodeKey): Promise<void> {
  const consumedCode = await trx
    .updateTable('codes')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .where('withdrawn_at', 'is', null)
    .where((eb) => eb.or([eb('uses_left', 'is', null), eb('uses_left', '>', 0)]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`shop_now()`)]))
    .returning('code')
    .executeTakeFirst();
  if (consumedCode) return;
  const row = await trx
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .executeTakeFirst();
  if (!row) throw notFound('code');
  assertCodeUsable(row);
  throw codeUsedError();
}

/** A payment with a discount or trial code. */
type DiscountedPayment = { store_id: string; id: string; user_id: string; code: string };

/** Stores that the customer has used the code. @returns false if it was stored before */
async function insertRedemption(trx: Database, { store_id, id, user_id, code }: DiscountedPayment): Promise<boolean> {
  const insertedRow = await trx
    .insertInto('redemptions')
    .values({ store_id, code, user_id, transaction_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst();
  return insertedRow !== undefined;
}

/**
 * Consumes the code of a payment before its capture, in the caller's database transaction.
 * @throws DomainError not_found; conflict code_used, code_expired or code_withdrawn
 */
export async function consumeForPayment(trx: Database, payment: DiscountedPayment): Promise<void> {
  await consumeCode(trx, payment);
  if (!(await insertRedemption(trx, payment))) throw codeUsedError();
}

/** Releases the code of a failed or cancelled payment, in the caller's database transaction. */
export async function releaseCode(trx: Database, { store_id, id, code }: DiscountedPayment): Promise<void> {
  const deleteResult = await trx
    .deleteFrom('redemptions')
    .where('store_id', '=', store_id)
    .where('transaction_id', '=', id)
    .executeTakeFirst();
  if (deleteResult.numDeletedRows === 0n) return;
  await trx
    .updateTable('codes')
    .set((eb) => ({ uses_left: eb('uses_left', '+', 1) }))
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .execute();
}

/**
 * Like `consumeForPayment`, for a captured payment, whose code was not consumed if there was no
 * confirmation here: throws no error, even if the code is already used up.
 */
export async function recordUse(trx: Database, payment: DiscountedPayment): Promise<void> {
  if (!(await insertRedemption(trx, payment))) return;
  await trx
    .updateTable('codes')
    .set({ uses_left: sql<number>`greatest(uses_left - 1, 0)` })
    .where('store_id', '=', payment.store_id)
    .where('code', '=', payment.code)
    .execute();
}
