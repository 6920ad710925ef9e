import type { Selectable } from 'kysely';
import { releaseCode } from '../codes/use-code.ts';
import { type Database, inTransaction } from '../database/open.ts';
import type { TransactionStatus, TransactionsTable } from '../database/schema/payments.ts';
import { shopNow } from '../base/clock/time.ts';

export type Transaction = Selectable<TransactionsTable>;

export const OPEN_STATUSES: TransactionStatus[] = ['pending', 'authorized', 'capturing'];

export const isOpen = (transaction: Transaction): boolean => OPEN_STATUSES.includes(transaction.status);

/** It was charged and booked, and is not fully refunded. */
export const isPaid = ({ status }: Transaction): boolean => status === 'paid' || status === 'refunding';

/** The store's reference for a payment at the gateway. */
export const toReference = (transaction: Transaction): string => `${transaction.store_id}/${transaction.id}`;

/** A transaction of this customer. */
export const findTransaction = (db: Database, storeId: string, userId: string, id: string): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();

export const reload = (db: Database, transaction: Transaction): Promise<Transaction> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .executeTakeFirstOrThrow();

/**
 * Changes a transaction's status if its current status is in `from`. `paid` is set by settling
 * alone, and left by refunds. A failed or cancelled transaction releases its code.
 * @returns the transaction afterwards, changed or not
 */
export async function changeStatus(
  db: Database,
  transaction: Transaction,
  from: TransactionStatus[],
  to: Exclude<TransactionStatus, 'paid' | 'refunding' | 'refunded'>,
  reason: string | null = null,
): Promise<Transaction> {
  const { code } = transaction;
  if (code === null || (to !== 'failed' && to !== 'cancelled'))
    return (await tryChangeStatus(db, transaction, from, to, reason)) ?? reload(db, transaction);
  return inTransaction(db, async (trx) => {
    const moved = await tryChangeStatus(trx, transaction, from, to, reason);
    if (moved) await releaseCode(trx, { ...moved, code });
    return moved ?? reload(trx, transaction);
  });
}

/** Like `move`, but without the code; undefined if the status was not in `from`. */
export function tryChangeStatus(
  db: Database,
  transaction: Transaction,
  from: TransactionStatus[],
  to: Exclude<TransactionStatus, 'paid' | 'refunding' | 'refunded'>,
  reason: string | null = null,
): Promise<Transaction | undefined> {
  return db
    .updateTable('transactions')
    .set({ status: to, reason, updated_at: shopNow() })
    .where('store_id', '=', transaction.store_id)
    .where('id', '=', transaction.id)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst();
}
