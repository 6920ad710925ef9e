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

/** The error for a transaction that is not paid, by its status. */
export function getUnpaidError(transaction: Transaction): DomainError {
  const { status, reason } = transaction;
  if (status === 'failed')
    return new DomainError('payment_failed', 'The payment was declined.', {
      code: reason && DECLINE_REASONS.has(reason) ? 'card_declined' : 'payment_failed',
    });
  if (status === 'cancelled' || status === 'refunded')
    return new DomainError('conflict', 'The payment was cancelled.', { code: 'cancelled' });
  if (status === 'capturing') return paymentUnknown();
  return new DomainError('conflict', 'The payment hasn’t been authorised yet.', { code: 'not_authorized' });
}

export const paymentUnknown = () =>
  new DomainError('payment_unknown', 'The payment gateway did not confirm whether it charged the payment.', {
    code: 'payment_unknown',
  });

/**
 * Captures an authorised payment and grants the purchase.
 *
 * No lock is held during the gateway's call: on the embedded database it would block the whole
 * store. `capturing` is stored before the request, the gateway charges an intent at most once, and
 * settling books it at most once. So the call is idempotent, may run concurrently or crash
 * anywhere, and the sweep completes it.
 * @returns the paid transaction
 * @throws DomainError payment_failed, conflict, or payment_unknown with code payment_unknown
 */
export async function confirmPayment(services: PaymentServices, found: Transaction): Promise<Transaction> {
  try {
    let transaction = found.status === 'pending' ? (await reconcile(services, found)).transaction : found;
    if (transaction.status === 'authorized') transaction = await claimForCapture(services, transaction);
    if (transaction.status === 'capturing' && transaction.intent_id !== null)
      transaction = await applyIntent(services, transaction, await services.payment.capture(transaction.intent_id));
    if (!isPaid(transaction)) throw getUnpaidError(transaction);
    return transaction;
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.warn({ err: error.cause, transaction: found.id, willRetry: true }, 'payment.capture.timeout');
    throw paymentUnknown();
  }
}

/**
 * Moves the transaction to `capturing` and uses its code, once.
 * @throws DomainError if the code is used up or has expired
 */
async function moveToCapturing(trx: Database, transaction: Transaction): Promise<Transaction> {
  const claimed = await tryChangeStatus(trx, transaction, ['authorized'], 'capturing');
  const { code } = transaction;
  if (claimed && code !== null) await consumeForPayment(trx, { ...transaction, code });
  return claimed ?? reload(trx, transaction);
}

/**
 * Stores that the customer confirmed the payment. Titles that the customer owns by now are not
 * charged, and a title in two payments (alone and in the cart) is charged by one: the customer's
 * lock serialises the checks.
 */
async function claimForCapture(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const claimed = await services.db
    .transaction()
    .execute(async (trx) => {
      await lockCustomer(trx, transaction.store_id, transaction.user_id);
      return (
        (await getPurchaseKind(services.kinds, transaction).refusal(trx, transaction)) ??
        (await moveToCapturing(trx, transaction))
      );
    })
    .catch((error: unknown) => {
      // The code can't be used any more: the database transaction was rolled back.
      if (error instanceof DomainError) return error;
      throw error;
    });
  if (!(claimed instanceof DomainError)) return claimed;
  const released = await releaseTransaction(services, transaction, claimed.reason);
  if (released.status !== 'cancelled') return released;
  throw claimed;
}
