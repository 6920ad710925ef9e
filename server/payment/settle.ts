import { randomUUID } from 'node:crypto';
import { bookUse } from '../codes/use-code.ts';
import type { Database } from '../database/open.ts';
import { startSubscription } from '../subscriptions/start.ts';
import { grant } from './ownership.ts';
import type { RunningSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';

/** Gives what is paid for, inside the caller's transaction. */
async function give(trx: Database, transaction: Transaction, subscription: RunningSubscription | null): Promise<void> {
  const { kind, title_id: titleId } = transaction;
  if (kind === 'subscription' && subscription) return startSubscription(trx, transaction, subscription);
  if (kind !== 'title' || titleId === null)
    throw new Error(`The transaction ${transaction.id} buys something that cannot be granted yet.`);
  await grant(trx, randomUUID(), {
    storeId: transaction.store_id,
    userId: transaction.user_id,
    titleId,
    kind: 'payment',
    transactionId: transaction.id,
    amountMinor: transaction.amount_minor,
    currency: transaction.currency,
  });
}

/**
 * Books a captured payment: marks the transaction paid and gives its title, or begins its subscription, in one transaction and
 * exactly once, however often and from wherever it is called.
 */
export async function settle(db: Database, transaction: Transaction, subscription: RunningSubscription | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The row's lock makes others wait here; they then find it paid.
    const paid = await trx
      .updateTable('transactions')
      .set({ status: 'paid', reason: null, finished: true, updated_at: new Date() })
      .where('store_id', '=', transaction.store_id)
      .where('id', '=', transaction.id)
      .where('status', '<>', 'paid')
      .returning('id')
      .executeTakeFirst();
    if (!paid) return;
    const { code } = transaction;
    if (code !== null) await bookUse(trx, { ...transaction, code });
    await give(trx, transaction, subscription);
  });
}
