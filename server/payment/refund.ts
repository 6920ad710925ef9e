import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { book, refundCause, taxBack } from './ledger.ts';
import type { PaymentServices } from './payment-services.ts';
import { queueLetter } from './receipt.ts';
import { refundEmail } from './refund-letter.ts';
import { reload, type Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';
import { kindOf } from './purchase-kind.ts';

type Booking = Pick<PaymentServices, 'db' | 'kinds'>;

const rowOf = (db: Database, { store_id, id }: Transaction) =>
  db.updateTable('transactions').where('store_id', '=', store_id).where('id', '=', id);

/**
 * Writes down that all of a payment's money is to go back. A gift is withdrawn at once, so that nobody opens it in the meantime;
 * one that was opened is kept, and so is its money.
 * @returns the transaction as it stands then; `paid` or `refunded` where there is nothing to do
 * @throws DomainError conflict gift_redeemed
 */
export const beginRefund = ({ db, kinds }: Booking, transaction: Transaction): Promise<Transaction> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const begun = await rowOf(trx, transaction)
      .set({ status: 'refunding', finished: false, swept_at: null, updated_at: shopNow() })
      .where('status', '=', 'paid')
      .returningAll()
      .executeTakeFirst();
    if (begun) await kindOf(kinds, begun).withhold(trx, begun);
    return begun ?? reload(trx, transaction);
  });

/**
 * Has the gateway give back what is to go back, and books it. The gateway gives each payment back once, and booking it happens once;
 * so the call may be repeated, and end anywhere, and the sweep finishes what it left.
 * @returns the transaction, `refunded`
 * @throws PaymentUnknown; DomainError where the gateway does not give it back: then it stays paid
 */
export async function refund(services: PaymentServices, transaction: Transaction): Promise<Transaction> {
  const { db, payment, log } = services;
  try {
    const intent = await payment.refund(transaction.intent_id ?? '');
    await settleRefund(services, transaction, intent.refundedMinor);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    log.error({ err: error, transaction: transaction.id }, 'the gateway does not give a payment back');
    await giveUpRefund(services, transaction);
    throw error;
  }
  return reload(db, transaction);
}

const giveUpRefund = ({ db, kinds }: Booking, transaction: Transaction): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const { numUpdatedRows } = await rowOf(trx, transaction)
      .set({ status: 'paid', finished: true, updated_at: shopNow() })
      .where('status', '=', 'refunding')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await kindOf(kinds, transaction).restore(trx, transaction);
  });

/**
 * Books what went back of a payment, whoever gave it, exactly once, however often and in whatever order it is told. When all of it
 * did, what it paid for is taken back; a gift that somebody has opened stays theirs.
 * @param refundedMinor what went back altogether, as the gateway says
 */
export async function settleRefund({ db, kinds }: Booking, transaction: Transaction, refundedMinor: number): Promise<void> {
  if (refundedMinor === 0) return;
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, transaction.store_id, transaction.user_id);
    const now = await reload(trx, transaction);
    const { status, amount_minor: paidMinor, refunded_minor: beforeMinor } = now;
    const totalMinor = Math.min(refundedMinor, paidMinor);
    if ((status !== 'paid' && status !== 'refunding') || totalMinor <= beforeMinor) return;
    const isWhole = totalMinor === paidMinor;
    await rowOf(trx, transaction)
      .set({
        refunded_minor: totalMinor,
        updated_at: shopNow(),
        ...(isWhole ? { status: 'refunded', finished: true } : {}),
      })
      .execute();
    const tax = taxBack(now, totalMinor) - taxBack(now, beforeMinor);
    await book(trx, {
      storeId: transaction.store_id,
      cause: refundCause(transaction.id, totalMinor),
      currency: transaction.currency,
      sides: { gateway: beforeMinor - totalMinor, tax, refunds: totalMinor - beforeMinor - tax },
    });
    if (isWhole) await kindOf(kinds, transaction).takeBack(trx, transaction);
    await queueLetter(trx, transaction, refundEmail);
  });
}
