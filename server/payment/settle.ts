import { lockCustomer } from '../kernel/lock-customer.ts';
import { bookUse } from '../codes/use-code.ts';
import type { PaymentServices } from './payment-services.ts';
import { book, paymentCause } from './ledger.ts';
import { queueLetter } from './receipt.ts';
import { receiptEmail } from './receipt-letter.ts';
import type { RunningSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';
import { kindOf } from './purchase-kind.ts';

/**
 * Books a captured payment: marks the transaction paid and gives its titles, or begins its subscription, in one transaction and
 * exactly once, however often and from wherever it is called.
 */
export async function settle(
  { db, kinds }: Pick<PaymentServices, 'db' | 'kinds'>,
  transaction: Transaction,
  subscription: RunningSubscription | null,
): Promise<void> {
  const { account, give } = kindOf(kinds, transaction);
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
        [account]: transaction.tax_minor - transaction.amount_minor,
        tax: -transaction.tax_minor,
      },
    });
    await queueLetter(trx, transaction, receiptEmail);
  });
}
