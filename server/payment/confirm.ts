import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { consumeForPayment } from '../codes/use-code.ts';
import type { Database } from '../database/open.ts';
import { releaseTransaction } from './open-transaction.ts';
import { PaymentUnknown } from './port.ts';
import type { PaymentServices } from './payment-services.ts';
import { applyIntent, reconcile } from './reconcile.ts';
import { isPaid, reload, tryChangeStatus, type Transaction } from './transactions.ts';
import { getPurchaseKind } from './purchase-kind.ts';

const DECLINE_REASONS = new Set(['card_declined', 'insufficient_funds', 'expired_card', 'authentication_failed']);

/** Returns the error for a transaction that is not paid, by its status. */
export function getUnpaidError(transaction: Transaction): DomainError {
  const { status, reason } = transaction;
  if (status === 'failed')
    return new DomainError('payment_failed', 'The payment was declined.', {
      code: reason && DECLINE_REASONS.has(reason) ? 'card_declined' : 'payment_failed',
    });
  if (status === 'cancelled') return new DomainError('conflict', 'The payment was cancelled.', { code: 'cancelled' });
  if (status === 'refunded') return new DomainError('conflict', 'The payment was refunded.', { code: 'refunded' });
  if (status === 'capturing') return paymentUnknownError();
  return new DomainError('conflict', 'The payment hasn’t been authorised yet.', { code: 'not_authorized' });
}

export const paymentUnknownError = () =>
  new DomainError('payment_unknown', 'The payment gateway did not confirm whether it charged the payment.', {
    code: 'payment_unknown',
  });

/**
 * Captures an authorised payment and grants the purchase.
 *
 * No lock is held during the call of the gateway: on the embedded database it would block the whole
 * store. `capturing` is stored before the request, the gateway charges an intent at most once, and
 * settling books it at most once. So the call is idempotent, may run concurrently or crash
 * anywhere, and the sweep completes it.
 * @returns the paid transaction
 * @throws DomainError payment_failed; payment_unknown payment_unknown; conflict if the payment was
 * cancelled, refunded or not authorised, its titles are owned or paid for elsewhere, or its code is
 * invalid
 */
export async function confirmPayment(services: PaymentServices, initialTransaction: Transaction): Promise<Transaction> {
  try {
    let transaction = initialTransaction;
    if (transaction.status === 'pending') ({ transaction } = await reconcile(services, transaction));
    if (transaction.status === 'authorized') transaction = await claimForCapture(services, transaction);
    if (transaction.status === 'capturing' && transaction.intent_id !== null)
      transaction = await applyIntent(services, transaction, await services.payment.capture(transaction.intent_id));
    if (!isPaid(transaction)) throw getUnpaidError(transaction);
    return transaction;
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    const { store_id: store, user_id: customer, id } = initialTransaction;
    const fields = { err: error.cause, store, customer, transaction: id, willRetry: true };
    services.log.warn(fields, 'payment.capture.outcome_unknown');
    throw paymentUnknownError();
  }
}

/**
 * Moves the transaction to `capturing` and consumes its code, once.
 * @returns the transaction as it is stored now, changed or not
 * @throws the errors of `consumeForPayment`
 */
async function moveToCapturing(trx: Database, transaction: Transaction): Promise<Transaction> {
  const claimedTransaction = await tryChangeStatus(trx, transaction, ['authorized'], 'capturing');
  const { code } = transaction;
  if (claimedTransaction && code !== null) await consumeForPayment(trx, { ...transaction, code });
  return claimedTransaction ?? reload(trx, transaction);
}

/**
 * Stores that the customer has confirmed the payment. Titles that the customer owns by now are not
 * charged, and a title in two payments (alone and in the cart) is charged by one: the customer's
 * lock serialises the checks.
 */
async function claimForCapture(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const claimResult = await services.db
    .transaction()
    .execute(async (trx) => {
      await lockCustomer(trx, transaction.store_id, transaction.user_id);
      return (
        (await getPurchaseKind(services.kinds, transaction).findRefusal(trx, transaction)) ??
        (await moveToCapturing(trx, transaction))
      );
    })
    .catch((error: unknown) => {
      // Returned, not thrown: the database transaction is rolled back, and the payment is released.
      if (error instanceof DomainError) return error;
      throw error;
    });
  if (!(claimResult instanceof DomainError)) return claimResult;
  const releasedTransaction = await releaseTransaction(services, transaction, claimResult.reason);
  if (releasedTransaction.status !== 'cancelled') return releasedTransaction;
  throw claimResult;
}
