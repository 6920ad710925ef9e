import { Refusal } from '../api/refusal.ts';
import { useForPayment } from '../codes/use-code.ts';
import type { Database } from '../database/open.ts';
import { runningSubscription } from '../subscriptions/held.ts';
import { alreadySubscribed } from '../subscriptions/open.ts';
import { alreadyOwned, release } from './open-transaction.ts';
import { ownedCopy } from './ownership.ts';
import { PaymentUnknown } from './port.ts';
import { follow, type PaymentServices, reconcile } from './reconcile.ts';
import { move, reload, tryMove, type Transaction } from './transactions.ts';

const DECLINES = new Set(['card_declined', 'insufficient_funds', 'expired_card', 'authentication_failed']);

/** Why a transaction that is not paid stays so. */
export function refusalOf(transaction: Transaction): Refusal {
  const { status, reason } = transaction;
  if (status === 'failed')
    return new Refusal(402, 'The payment was declined.', {
      code: reason && DECLINES.has(reason) ? 'card_declined' : 'payment_failed',
    });
  if (status === 'cancelled') return new Refusal(409, 'The payment was cancelled.', { code: 'cancelled' });
  if (status === 'capturing') return paymentUnknown();
  return new Refusal(409, 'The payment hasn’t been authorised yet.', { code: 'not_authorized' });
}

export const paymentUnknown = () =>
  new Refusal(502, 'The payment gateway did not say whether it has charged.', { code: 'payment_unknown' });

/**
 * Captures an authorised payment and grants what it pays for.
 *
 * No lock is held while the gateway is asked: on the embedded database that would stop the whole store. The intention
 * is written down first (`capturing`), the gateway charges an intent at most once, and settling books it at most once;
 * so the call may be repeated, run twenty times at once, or end anywhere, and the sweep finishes what it left.
 * @returns the paid transaction
 * @throws Refusal 402, 409, or 502 payment_unknown
 */
export async function confirm(services: PaymentServices, found: Transaction): Promise<Transaction> {
  try {
    let transaction = found.status === 'pending' ? (await reconcile(services, found)).transaction : found;
    if (transaction.status === 'authorized') transaction = await claim(services, transaction);
    if (transaction.status === 'capturing' && transaction.intent_id !== null)
      transaction = await follow(services, transaction, await services.payment.capture(transaction.intent_id));
    if (transaction.status !== 'paid') throw refusalOf(transaction);
    return transaction;
  } catch (error) {
    if (!(error instanceof PaymentUnknown)) throw error;
    services.log.error({ err: error.cause, transaction: found.id }, 'the payment gateway did not say whether it has charged');
    throw paymentUnknown();
  }
}

/** Why the customer has already what a transaction is to pay for; undefined where they have not. */
async function hadBefore(db: Database, transaction: Transaction): Promise<Refusal | undefined> {
  const { store_id: storeId, user_id: userId, title_id: titleId, kind } = transaction;
  if (kind === 'subscription') return (await runningSubscription(db, { storeId, userId })) && alreadySubscribed();
  return titleId !== null && (await ownedCopy(db, { storeId, userId, titleId })) ? alreadyOwned() : undefined;
}

/** Writes down that the customer has confirmed. What they have got by another way is not charged for. */
async function claim(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const refusal = await hadBefore(services.db, transaction);
  if (refusal) {
    const released = await release(services, transaction, refusal.code);
    if (released.status !== 'cancelled') return released;
    throw refusal;
  }
  const { code } = transaction;
  if (code === null) return move(services.db, transaction, ['authorized'], 'capturing');
  return claimWithCode(services, { ...transaction, code });
}

/** The same, and uses the code up: who comes too late for it pays nothing. */
async function claimWithCode(services: PaymentServices, transaction: Transaction & { code: string }): Promise<Transaction> {
  try {
    return await services.db.transaction().execute(async (trx) => {
      const claimed = await tryMove(trx, transaction, ['authorized'], 'capturing');
      if (claimed) await useForPayment(trx, transaction);
      return claimed ?? reload(trx, transaction);
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const released = await release(services, transaction, error.code);
    if (released.status !== 'cancelled') return released;
    throw error;
  }
}
