import { sql } from 'kysely';
import { notFound } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { codeUsed, refuseOver, type Code } from './find-code.ts';

type CodeName = Pick<Code, 'store_id' | 'code'>;

/**
 * Takes one of a code's uses, inside the caller's transaction. @throws DomainError conflict
 * code_withdrawn, code_used or code_expired
 */
export async function consume(trx: Database, { store_id, code }: CodeName): Promise<void> {
  const taken = await trx
    .updateTable('codes')
    .set((eb) => ({ uses_left: eb('uses_left', '-', 1) }))
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .where('withdrawn_at', 'is', null)
    .where((eb) => eb.or([eb('uses_left', 'is', null), eb('uses_left', '>', 0)]))
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<Date>`shop_now()`)]))
    .returning('code')
    .executeTakeFirst();
  if (taken) return;
  const row = await trx
    .selectFrom('codes')
    .selectAll()
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .executeTakeFirst();
  if (!row) throw notFound('code');
  refuseOver(row);
  throw codeUsed();
}

/** A payment that a code makes cheaper. */
type CheaperPayment = { store_id: string; id: string; user_id: string; code: string };

/** @returns false where the customer has used the code before */
async function writeDown(trx: Database, { store_id, id, user_id, code }: CheaperPayment): Promise<boolean> {
  const made = await trx
    .insertInto('redemptions')
    .values({ store_id, code, user_id, transaction_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('code')
    .executeTakeFirst();
  return made !== undefined;
}

/**
 * Uses up the code of a payment that is about to be charged, inside the caller's transaction.
 * @throws DomainError conflict code_used or code_expired
 */
export async function spendForPayment(trx: Database, payment: CheaperPayment): Promise<void> {
  await consume(trx, payment);
  if (!(await writeDown(trx, payment))) throw codeUsed();
}

/** Gives a code back whose payment came to nothing, inside the caller's transaction. */
export async function giveBack(trx: Database, { store_id, id, code }: CheaperPayment): Promise<void> {
  const used = await trx
    .deleteFrom('redemptions')
    .where('store_id', '=', store_id)
    .where('transaction_id', '=', id)
    .executeTakeFirst();
  if (used.numDeletedRows === 0n) return;
  await trx
    .updateTable('codes')
    .set((eb) => ({ uses_left: eb('uses_left', '+', 1) }))
    .where('store_id', '=', store_id)
    .where('code', '=', code)
    .execute();
}

/** The same as `spendForPayment` for a payment that was charged without having been confirmed here: the code is used up, or was. */
export async function bookUse(trx: Database, payment: CheaperPayment): Promise<void> {
  if (!(await writeDown(trx, payment))) return;
  await trx
    .updateTable('codes')
    .set({ uses_left: sql<number>`greatest(uses_left - 1, 0)` })
    .where('store_id', '=', payment.store_id)
    .where('code', '=', payment.code)
    .execute();
}
