import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { bookEntry, toRefundCause, computeRefundedTax } from './ledger.ts';
import type { PaymentServices } from './payment-services.ts';
import { enqueuePaymentEmail } from './receipt.ts';
import { refundEmail } from './refund-email.ts';
import { reload, type Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';
import { getPurchaseKind } from './purchase-kind.ts';

type RefundServices = Pick<PaymentServices, 'db' | 'kinds'>;

const updateRow = (db: Database, { store_id, id }: Transaction) =>
  db.updateTable('transactions').where('store_id', '=', store_id).where('id', '=', id);

/**
 * Stores that a payment will be fully refunded. A gift is withdrawn immediately, so that it cannot
 * be opened in the meantime; an opened gift is not refunded.
 * @returns the transaction afterwards: `refunding`, or unchanged if it was not `paid`
 * @throws DomainError conflict gift_redeemed
 */
export const beginRefund = ({ db, kinds }: RefundServices, transaction: Transaction): Promise<Transaction> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const startedRefund = await updateRow(trx, transaction)
      .set({ status: 'refunding', finished: false, swept_at: null, updated_at: shopNow() })
      .where('status', '=', 'paid')
      .returningAll()
      .executeTakeFirst();
    if (startedRefund) await getPurchaseKind(kinds, startedRefund).withhold(trx, startedRefund);
    return startedRefund ?? reload(trx, transaction);
  });

/**
 * Refunds a payment at the gateway and books the refund. The gateway refunds each payment once, and
 * the refund is booked once, so the call may be repeated or crash anywhere, and the sweep completes
 * the refund.
 * @returns the transaction, `refunded`
 * @throws PaymentUnknown; DomainError if the gateway refuses: the transaction is `paid` again
 */
export async function refundTransaction(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const { db, payment, log } = services;
  try {
    const intent = await payment.refund(transaction.intent_id ?? '');
    await settleRefund(services, transaction, intent.refundedMinor);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { store_id: store, user_id: customer, id, intent_id: intent } = transaction;
    log.warn({ err: error, store, customer, transaction: id, intent }, 'payment.refund.refused');
    await abandonRefund(services, transaction);
    throw error;
  }
  return reload(db, transaction);
}

const abandonRefund = ({ db, kinds }: RefundServices, transaction: Transaction): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const { numUpdatedRows } = await updateRow(trx, transaction)
      .set({ status: 'paid', finished: true, updated_at: shopNow() })
      .where('status', '=', 'refunding')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await getPurchaseKind(kinds, transaction).restore(trx, transaction);
  });

/**
 * Books the refunds of a payment, from the shop or from the gateway's dashboard; idempotent and
 * independent of the sequence of webhooks. Once the payment is fully refunded, the purchase is
 * revoked; an opened gift is kept.
 * @param refundedMinor total refunded so far, as the gateway reports it
 */
export async function settleRefund(
  { db, kinds }: RefundServices,
  transaction: Transaction,
  refundedMinor: number,
): Promise<void> {
  if (refundedMinor === 0) return;
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const currentTransaction = await reload(trx, transaction);
    const { status, amount_minor: paidMinor, refunded_minor: refundedBeforeMinor } = currentTransaction;
    const totalMinor = Math.min(refundedMinor, paidMinor);
    if ((status !== 'paid' && status !== 'refunding') || totalMinor <= refundedBeforeMinor) return;
    const isFullRefund = totalMinor === paidMinor;
    await updateRow(trx, transaction)
      .set({
        refunded_minor: totalMinor,
        updated_at: shopNow(),
        ...(isFullRefund ? { status: 'refunded', finished: true } : {}),
      })
      .execute();
    const tax = computeRefundedTax(currentTransaction, totalMinor) - computeRefundedTax(currentTransaction, refundedBeforeMinor);
    await bookEntry(trx, {
      storeId: transaction.store_id,
      cause: toRefundCause(transaction.id, totalMinor),
      currency: transaction.currency,
      sides: { gateway: refundedBeforeMinor - totalMinor, tax, refunds: totalMinor - refundedBeforeMinor - tax },
    });
    if (isFullRefund) await getPurchaseKind(kinds, transaction).revoke(trx, transaction);
    await enqueuePaymentEmail(trx, transaction, refundEmail);
  });
}
