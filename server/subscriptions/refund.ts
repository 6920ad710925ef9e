import { sql } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { bookEntry, toRefundCause } from '../payment/ledger.ts';
import { refundRefusedError, type SubscriptionRefunds } from '../payment/port.ts';
import { enqueuePaymentEmail } from '../payment/receipt.ts';
import { refundEmail } from '../payment/refund-email.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import type { Subscription } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

const selectRow = (db: Database, { store_id, id }: Subscription) =>
  db.updateTable('subscriptions').where('store_id', '=', store_id).where('id', '=', id);

export const findSubscriptionById = (db: Database, storeId: string, id: string): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();

/** The last payment of a subscription in the ledger; undefined before the first one. */
export async function findLastPayment(
  db: Database,
  { store_id: storeId, id }: Subscription,
): Promise<{ amountMinor: number; currency: string } | undefined> {
  const row = await db
    .selectFrom('ledger')
    .select(['amount', 'currency'])
    .where('store_id', '=', storeId)
    .where('account', '=', 'gateway')
    .where('amount', '>', 0)
    .where(sql<boolean>`(cause = ${`payment ${id}`} or cause like ${`% of ${id}`})`)
    .orderBy('booked_at', 'desc')
    .orderBy('cause', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { amountMinor: Number(row.amount), currency: row.currency };
}

/** Stores that the last payment of a subscription is to be refunded. */
export const beginSubscriptionRefund = async (db: Database, held: Subscription): Promise<void> => {
  await selectRow(db, held).set({ refunding: true, swept_at: null }).execute();
};

/**
 * Refunds the last payment at the gateway and books the refund. The gateway refunds each payment
 * once, and it is booked once, so the call may be repeated or crash anywhere, and the sweep
 * completes it.
 * @throws PaymentUnknown; DomainError if the gateway refuses: then nothing has changed
 */
export async function refundSubscription({ db, payment }: PaymentServices, held: Subscription): Promise<void> {
  const at = held.provider_id ?? '';
  try {
    // If an earlier refund's answer was lost, the subscription may have been renewed since; that
    // later payment must not be refunded as well.
    const before = held.refunding ? await payment.readRefunds(at) : undefined;
    const isDone = before !== undefined && before.totalMinor > Number(held.refunded_minor);
    const remote = isDone ? { ...before, isLastWhole: true } : await payment.refundSubscription(at);
    if (!remote.isLastWhole) throw refundRefusedError('There is no payment to refund.');
    await settleSubscriptionRefund(db, held, remote);
  } catch (error) {
    if (error instanceof DomainError) await selectRow(db, held).set({ refunding: false }).execute();
    throw error;
  }
}

/**
 * Books the refunds of a subscription, from the shop or from the gateway's dashboard; idempotent
 * and independent of the order of webhooks. Once the last payment is fully refunded, the
 * subscription ends; the sweep cancels it at the gateway.
 */
export async function settleSubscriptionRefund(
  db: Database,
  held: Subscription,
  { totalMinor, isLastWhole }: SubscriptionRefunds,
): Promise<void> {
  const { store_id: storeId, id } = held;
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, held.user_id);
    const now = await trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const before = Number(now.refunded_minor);
    if (totalMinor > before) {
      const { currency = now.currency } = (await findLastPayment(trx, held)) ?? {};
      if (currency === null) throw new Error(`Subscription ${id} has neither a currency nor a payment in the ledger.`);
      const [cause, amount] = [toRefundCause(id, totalMinor), totalMinor - before];
      await bookEntry(trx, { storeId, cause, currency, sides: { refunds: amount, gateway: -amount } });
      await selectRow(trx, held).set({ refunded_minor: totalMinor }).execute();
    }
    const ends = isLastWhole && (now.refunding || totalMinor > before);
    if (ends && now.status !== 'ended') {
      const at = shopNow();
      const cancelled = now.cancelled_at ?? at;
      await selectRow(trx, held).set({ status: 'ended', ended_at: at, cancelled_at: cancelled, cancel_told: false }).execute();
    }
    if (ends) await selectRow(trx, held).set({ refunding: false }).execute();
    // Each refund has its own e-mail.
    if (totalMinor > before) await enqueuePaymentEmail(trx, held, refundEmail, await countRefunds(trx, storeId, id));
  });
}

/** The number of booked refunds. */
async function countRefunds(trx: Database, storeId: string, id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('store_id', '=', storeId)
    .where('account', '=', 'refunds')
    .where('cause', 'like', `refund of ${id}: %`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Maximum number of refunds that one sweep processes. */
const BATCH_SIZE = 200;

/**
 * Completes the refunds that an operator started and the gateway has not answered.
 * @returns how many were completed
 */
export async function sweepSubscriptionRefunds(services: PaymentServices, round: SweepRound, now: Date): Promise<number> {
  const { db, payment } = services;
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('refunding', '=', true)
    .where('provider', '=', payment.provider)
    .orderBy('swept_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(BATCH_SIZE)
    .execute();
  return round.run({
    rows,
    markSwept: (held) => selectRow(db, held).set({ swept_at: now }).execute(),
    settle: async (held) => {
      await refundSubscription(services, held);
      return true;
    },
    describe: ({ id }) => ({ subscription: id }),
    event: 'payment.subscription_refund',
  });
}
