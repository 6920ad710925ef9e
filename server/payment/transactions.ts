import type { Selectable } from 'kysely';
import { releaseCode } from '../codes/use-code.ts';
import { type Database, inTransaction } from '../database/open.ts';
import type { TransactionStatus, TransactionsTable } from '../database/schema/payments.ts';
import { shopNow } from '../base/clock/time.ts';

export type Transaction = Selectable<TransactionsTable>;

export const OPEN_STATUSES: TransactionStatus[] = ['pending', 'authorized', 'capturing'];

export const isOpen = (transaction: Transaction): boolean => OPEN_STATUSES.includes(transaction.status);

/** Whether a payment was charged and booked, and is not fully refunded. */
export const isPaid = ({ status }: Transaction): boolean => status === 'paid' || status === 'refunding';

/** Returns the store's reference for a payment at the gateway. */
export const toPaymentReference = (transaction: Transaction): string => `${transaction.store_id}/${transaction.id}`;

/** Finds a transaction of this customer by its id. */
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
 * Changes a transaction's status if its current status is in `from`; the status of a paid
 * transaction is changed by `settle` and refunds instead. A failed or cancelled transaction
 * releases its code.
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
    const changedTransaction = await tryChangeStatus(trx, transaction, from, to, reason);
    if (changedTransaction) await releaseCode(trx, { ...changedTransaction, code });
    return changedTransaction ?? reload(trx, transaction);
  });
}

/**
 * Like `changeStatus`, but does not release the code.
 * @returns undefined if the status was not in `from`
 */
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
