import { randomUUID } from 'node:crypto';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { bookUse } from '../codes/use-code.ts';
import type { Database } from '../database/open.ts';
import { giftOf, giveGift } from '../gifts/give-gift.ts';
import { startSubscription } from '../subscriptions/start.ts';
import { book, paymentCause } from './ledger.ts';
import { linesOf } from './order.ts';
import { grant } from '../entitlements/ownership.ts';
import { queueLetter } from './receipt.ts';
import type { RunningSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

async function giveGiftOf(trx: Database, transaction: Transaction): Promise<void> {
  const { id, amount_minor: amountMinor, tax_minor: taxMinor, currency } = transaction;
  const gift = await giftOf(trx, transaction);
  if (!gift) throw new Error(`The transaction ${id} pays for a gift that is not there.`);
  await giveGift(trx, gift, { transactionId: id, amountMinor, taxMinor, currency });
}

/** Gives what is paid for, inside the caller's transaction. */
async function give(trx: Database, transaction: Transaction, subscription: RunningSubscription | null): Promise<void> {
  if (transaction.kind === 'subscription' && subscription) return startSubscription(trx, transaction, subscription);
  if (transaction.kind === 'gift') return giveGiftOf(trx, transaction);
  const lines = await linesOf(trx, transaction);
  if (lines.length === 0) throw new Error(`The transaction ${transaction.id} buys something that cannot be granted yet.`);
  for (const { titleId, amountMinor, taxMinor = 0 } of lines)
    await grant(trx, randomUUID(), {
      storeId: transaction.store_id,
      userId: transaction.user_id,
      titleId,
      kind: 'payment',
      transactionId: transaction.id,
      amountMinor: amountMinor + taxMinor,
      taxMinor,
      currency: transaction.currency,
    });
}

/**
 * Books a captured payment: marks the transaction paid and gives its titles, or begins its subscription, in one transaction and
 * exactly once, however often and from wherever it is called.
 */
export async function settle(db: Database, transaction: Transaction, subscription: RunningSubscription | null): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Before the row: whoever claims a payment locks in this order, too.
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    // The row's lock makes others wait here; they then find it paid.
    const paid = await trx
      .updateTable('transactions')
      .set({ status: 'paid', reason: null, finished: true, updated_at: shopNow() })
      .where('store_id', '=', transaction.store_id)
      .where('id', '=', transaction.id)
      .where('status', 'not in', ['paid', 'refunding', 'refunded'])
      .returning('id')
      .executeTakeFirst();
    if (!paid) return;
    const { code } = transaction;
    if (code !== null) await bookUse(trx, { ...transaction, code });
    await give(trx, transaction, subscription);
    await book(trx, {
      storeId: transaction.store_id,
      cause: paymentCause(transaction.id),
      currency: transaction.currency,
      sides: {
        gateway: transaction.amount_minor,
        [transaction.kind === 'subscription' ? 'subscriptions' : 'sales']: transaction.tax_minor - transaction.amount_minor,
        tax: -transaction.tax_minor,
      },
    });
    await queueLetter(trx, transaction, 'receipt');
  });
}
