import type { Selectable } from 'kysely';
import { giveBack } from '../codes/use-code.ts';
import { type Database, inTransaction } from '../database/open.ts';
import type { TransactionStatus, TransactionsTable } from '../database/schema/payments.ts';
import { shopNow } from '../base/clock/time.ts';

export type Transaction = Selectable<TransactionsTable>;

export const OPEN: TransactionStatus[] = ['pending', 'authorized', 'capturing'];

export const isOpen = (transaction: Transaction): boolean => OPEN.includes(transaction.status);

/** It was charged and booked, and has not gone back as a whole. */
export const isPaid = ({ status }: Transaction): boolean => status === 'paid' || status === 'refunding';

/** The store's name for a payment at the gateway. */
export const referenceOf = (transaction: Transaction): string => `${transaction.store_id}/${transaction.id}`;

/** A customer's own transaction. */
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
 * Moves a transaction on, if it still stands where it may move from. Paid is reached by settling alone, and left by refunds. What comes
 * to nothing gives its code back.
 * @returns the transaction as it stands afterwards, moved or not
 */
export async function move(
  db: Database,
  transaction: Transaction,
  from: TransactionStatus[],
  to: Exclude<TransactionStatus, 'paid' | 'refunding' | 'refunded'>,
  reason: string | null = null,
): Promise<Transaction> {
  const { code } = transaction;
  if (code === null || (to !== 'failed' && to !== 'cancelled'))
    return (await tryMove(db, transaction, from, to, reason)) ?? reload(db, transaction);
  return inTransaction(db, async (trx) => {
    const moved = await tryMove(trx, transaction, from, to, reason);
    if (moved) await giveBack(trx, { ...moved, code });
    return moved ?? reload(trx, transaction);
  });
}

/** The same; undefined where it stood elsewhere, and was not moved. */
export function tryMove(
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
