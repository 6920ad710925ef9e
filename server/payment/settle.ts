import { lockCustomer } from '../kernel/lock-customer.ts';
import { recordUse } from '../codes/use-code.ts';
import type { PaymentServices } from './payment-services.ts';
import { bookEntry, toPaymentCause } from './ledger.ts';
import { enqueuePaymentEmail } from './receipt.ts';
import { receiptEmail } from './payment-email.ts';
import type { RemoteSubscription } from './port.ts';
import type { Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';
import { getPurchaseKind } from './purchase-kind.ts';

/**
 * Books a captured payment: marks the transaction paid and grants its titles or starts its
 * subscription, in one database transaction and exactly once, however often it is called.
 */
export async function settle(
  { db, kinds, log }: Pick<PaymentServices, 'db' | 'kinds' | 'log'>,
  transaction: Transaction,
  subscription: RemoteSubscription | null,
): Promise<void> {
  const { account, grant } = getPurchaseKind(kinds, transaction);
  const isSettled = await db.transaction().execute(async (trx) => {
    // Lock order: the customer before the row, as in the claim of a payment.
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    // Concurrent calls wait for the customer's lock, and then find the status `paid`.
    const paidRow = await trx
      .updateTable('transactions')
      .set({ status: 'paid', reason: null, finished: true, updated_at: shopNow() })
      .where('store_id', '=', transaction.store_id)
      .where('id', '=', transaction.id)
      .where('status', 'not in', ['paid', 'refunding', 'refunded'])
      .returning('id')
      .executeTakeFirst();
    if (!paidRow) return false;
    const { code } = transaction;
    if (code !== null) await recordUse(trx, { ...transaction, code });
    await grant(trx, transaction, subscription);
    await bookEntry(trx, {
      storeId: transaction.store_id,
      cause: toPaymentCause(transaction.id),
      currency: transaction.currency,
      sides: {
        gateway: transaction.amount_minor,
        [account]: transaction.tax_minor - transaction.amount_minor,
        tax: -transaction.tax_minor,
      },
    });
    await enqueuePaymentEmail(trx, transaction, receiptEmail);
    return true;
  });
  const { store_id: store, user_id: customer, id, kind } = transaction;
  if (isSettled) log.info({ store, customer, transaction: id, kind }, 'payment.captured');
}
