import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { spendForPayment } from '../codes/use-code.ts';
import type { Database } from '../database/open.ts';
import { release } from './open-transaction.ts';
import { PaymentUnknown } from './port.ts';
import type { PaymentServices } from './payment-services.ts';
import { follow, reconcile } from './reconcile.ts';
import { isPaid, reload, tryMove, type Transaction } from './transactions.ts';
import { kindOf } from './purchase-kind.ts';

const DECLINES = new Set(['card_declined', 'insufficient_funds', 'expired_card', 'authentication_failed']);

/** Why a transaction that is not paid stays so. */
export function refusalOf(transaction: Transaction): DomainError {
  const { status, reason } = transaction;
  if (status === 'failed')
    return new DomainError('payment_failed', 'The payment was declined.', {
      code: reason && DECLINES.has(reason) ? 'card_declined' : 'payment_failed',
    });
  if (status === 'cancelled' || status === 'refunded')
    return new DomainError('conflict', 'The payment was cancelled.', { code: 'cancelled' });
  if (status === 'capturing') return paymentUnknown();
  return new DomainError('conflict', 'The payment hasn’t been authorised yet.', { code: 'not_authorized' });
}

export const paymentUnknown = () =>
  new DomainError('payment_unknown', 'The payment gateway did not say whether it has charged.', { code: 'payment_unknown' });

/**
 * Captures an authorised payment and grants what it pays for.
 *
 * No lock is held while the gateway is asked: on the embedded database that would stop the whole store. The intention
 * is written down first (`capturing`), the gateway charges an intent at most once, and settling books it at most once;
 * so the call may be repeated, run twenty times at once, or end anywhere, and the sweep finishes what it left.
 * @returns the paid transaction
 * @throws DomainError payment_failed, 409, or payment_unknown payment_unknown
 */
export async function confirm(services: PaymentServices, found: Transaction): Promise<Transaction> {
  try {
    let transaction = found.status === 'pending' ? (await reconcile(services, found)).transaction : found;
    if (transaction.status === 'authorized') transaction = await claim(services, transaction);
    if (transaction.status === 'capturing' && transaction.intent_id !== null)
      transaction = await follow(services, transaction, await services.payment.capture(transaction.intent_id));
    if (!isPaid(transaction)) throw refusalOf(transaction);
    return transaction;
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause, transaction: found.id }, 'the payment gateway did not say whether it has charged');
    throw paymentUnknown();
  }
}

/** Moves it on and uses its code up, once. @throws DomainError when the code is used up or over */
async function capturing(trx: Database, transaction: Transaction): Promise<Transaction> {
  const claimed = await tryMove(trx, transaction, ['authorized'], 'capturing');
  const { code } = transaction;
  if (claimed && code !== null) await spendForPayment(trx, { ...transaction, code });
  return claimed ?? reload(trx, transaction);
}

/**
 * Writes down that the customer has confirmed. What they have got by another way is not charged for, and a title that stands in
 * two payments, such as its own and one of the cart, is charged by one of them: the customer's lock lets one look after the other.
 */
async function claim(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const claimed = await services.db
    .transaction()
    .execute(async (trx) => {
      await lockCustomer(trx, transaction.store_id, transaction.user_id);
      return (await kindOf(services.kinds, transaction).refusal(trx, transaction)) ?? (await capturing(trx, transaction));
    })
    .catch((error: unknown) => {
      // Too late for the code: nothing of this is written down.
      if (error instanceof DomainError) return error;
      throw error;
    });
  if (!(claimed instanceof DomainError)) return claimed;
  const released = await release(services, transaction, claimed.reason);
  if (released.status !== 'cancelled') return released;
  throw claimed;
}
