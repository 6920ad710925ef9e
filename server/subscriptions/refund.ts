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
import type { Subscription } from '../entitlements/subscription.ts';
import { shopNow } from '../base/clock/time.ts';

const updateRow = (db: Database, { store_id, id }: Subscription) =>
  db.updateTable('subscriptions').where('store_id', '=', store_id).where('id', '=', id);

export const findSubscriptionById = (db: Database, storeId: string, id: string): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();

/** Reads a subscription's last payment from the ledger; undefined before the first payment. */
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

/** Stores that the last payment of a subscription will be refunded. */
export const beginSubscriptionRefund = async (db: Database, subscription: Subscription): Promise<void> => {
  await updateRow(db, subscription).set({ refunding: true, swept_at: null }).execute();
};

/**
 * Refunds the last payment at the gateway and books the refund. The gateway refunds each payment
 * once, and the refund is booked once, so the call may be repeated or crash anywhere, and the sweep
 * completes the refund.
 * @throws PaymentUnknown; DomainError conflict no_refund if the gateway refuses, or there is no
 * payment to refund
 */
export async function refundLastSubscriptionPayment({ db, payment }: PaymentServices, subscription: Subscription): Promise<void> {
  const providerId = subscription.provider_id ?? '';
  try {
    // If an earlier refund's response was lost, the subscription may have been renewed since; the
    // renewal's payment must not be refunded as well.
    const earlierRefunds = subscription.refunding ? await payment.readRefunds(providerId) : undefined;
    const isDone = earlierRefunds !== undefined && earlierRefunds.totalMinor > Number(subscription.refunded_minor);
    const refunds = isDone ? { ...earlierRefunds, isLastWhole: true } : await payment.refundLastPayment(providerId);
    if (!refunds.isLastWhole) throw refundRefusedError('There is no payment to refund.');
    await settleSubscriptionRefund(db, subscription, refunds);
  } catch (error) {
    if (error instanceof DomainError) await updateRow(db, subscription).set({ refunding: false }).execute();
    throw error;
  }
}

/**
 * Books the refunds of a subscription, from the shop or from the gateway's dashboard; idempotent
 * and independent of the sequence of webhooks. Once the last payment is fully refunded, the
 * subscription ends; the sweep cancels it at the gateway.
 */
export async function settleSubscriptionRefund(
  db: Database,
  subscription: Subscription,
  { totalMinor, isLastWhole }: SubscriptionRefunds,
): Promise<void> {
  const { store_id: storeId, id } = subscription;
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, subscription.user_id);
    const currentSubscription = await trx
      .selectFrom('subscriptions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const refundedBefore = Number(currentSubscription.refunded_minor);
    if (totalMinor > refundedBefore) {
      const { currency = currentSubscription.currency } = (await findLastPayment(trx, subscription)) ?? {};
      if (currency === null) throw new Error(`Subscription ${id} has neither a currency nor a payment in the ledger.`);
      const [cause, amount] = [toRefundCause(id, totalMinor), totalMinor - refundedBefore];
      await bookEntry(trx, { storeId, cause, currency, sides: { refunds: amount, gateway: -amount } });
      await updateRow(trx, subscription).set({ refunded_minor: totalMinor }).execute();
    }
    const isEnding = isLastWhole && (currentSubscription.refunding || totalMinor > refundedBefore);
    if (isEnding && currentSubscription.status !== 'ended') {
      const endedAt = shopNow();
      const cancelledAt = currentSubscription.cancelled_at ?? endedAt;
      await updateRow(trx, subscription)
        .set({ status: 'ended', ended_at: endedAt, cancelled_at: cancelledAt, cancel_told: false })
        .execute();
    }
    if (isEnding) await updateRow(trx, subscription).set({ refunding: false }).execute();
    // Each refund has its own e-mail.
    if (totalMinor > refundedBefore)
      await enqueuePaymentEmail(trx, subscription, refundEmail, await countRefunds(trx, storeId, id));
  });
}

/** Returns the number of a subscription's booked refunds. */
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
 * Completes the refunds that an operator started and whose outcome is unknown.
 * @returns the number of completed refunds
 */
export async function sweepSubscriptionRefunds(services: PaymentServices, round: SweepRound, sweptAt: Date): Promise<number> {
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
    markSwept: (subscription) => updateRow(db, subscription).set({ swept_at: sweptAt }).execute(),
    settle: async (subscription) => {
      await refundLastSubscriptionPayment(services, subscription);
      return true;
    },
    describe: ({ store_id: store, id }) => ({ store, subscription: id }),
    unknownEvent: 'payment.subscription_refund.outcome_unknown',
    failedEvent: 'payment.subscription_refund.failed',
  });
}
