import { sql } from 'kysely';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Database } from '../database/open.ts';
import { book, refundCause } from '../payment/ledger.ts';
import { noRefund, type SubscriptionRefunds } from '../payment/port.ts';
import { queueLetter } from '../payment/receipt.ts';
import { refundEmail } from '../payment/refund-letter.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import type { SweepRound } from '../payment/sweep-round.ts';
import type { Subscription } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

const rowOf = (db: Database, { store_id, id }: Subscription) =>
  db.updateTable('subscriptions').where('store_id', '=', store_id).where('id', '=', id);

export const subscriptionById = (db: Database, storeId: string, id: string): Promise<Subscription | undefined> =>
  db.selectFrom('subscriptions').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();

/** What was paid for a subscription last, as the ledger has it; undefined where nothing was. */
export async function lastPayment(
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

/** Writes down that the last payment of a subscription is to go back. */
export const beginSubscriptionRefund = async (db: Database, held: Subscription): Promise<void> => {
  await rowOf(db, held).set({ refunding: true, swept_at: null }).execute();
};

/**
 * Has the gateway give back what was paid last, and books it. The gateway gives each payment back once, and booking it happens once; so
 * the call may be repeated, and end anywhere, and the sweep finishes what it left.
 * @throws PaymentUnknown; DomainError where the gateway does not give it back: then all is as it
 * was
 */
export async function refundSubscription({ db, payment }: PaymentServices, held: Subscription): Promise<void> {
  const at = held.provider_id ?? '';
  try {
    // An answer that was lost may be older than the last renewal, which is not to go back as well.
    const before = held.refunding ? await payment.readRefunds(at) : undefined;
    const isDone = before !== undefined && before.totalMinor > Number(held.refunded_minor);
    const told = isDone ? { ...before, isLastWhole: true } : await payment.refundSubscription(at);
    if (!told.isLastWhole) throw noRefund('Nothing was paid that could go back.');
    await settleSubscriptionRefund(db, held, told);
  } catch (error) {
    if (error instanceof DomainError) await rowOf(db, held).set({ refunding: false }).execute();
    throw error;
  }
}

/**
 * Books what went back of a subscription, whoever gave it, exactly once, however often and in whatever order it is told. When all of the
 * last payment did, the subscription ends at once; the sweep tells the gateway.
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
      const { currency = now.currency } = (await lastPayment(trx, held)) ?? {};
      if (currency === null) throw new Error(`Nobody knows in which currency the subscription ${id} is paid.`);
      const [cause, amount] = [refundCause(id, totalMinor), totalMinor - before];
      await book(trx, { storeId, cause, currency, sides: { refunds: amount, gateway: -amount } });
      await rowOf(trx, held).set({ refunded_minor: totalMinor }).execute();
    }
    const ends = isLastWhole && (now.refunding || totalMinor > before);
    if (ends && now.status !== 'ended') {
      const at = shopNow();
      const cancelled = now.cancelled_at ?? at;
      await rowOf(trx, held).set({ status: 'ended', ended_at: at, cancelled_at: cancelled, cancel_told: false }).execute();
    }
    if (ends) await rowOf(trx, held).set({ refunding: false }).execute();
    // Each time that something went back has a letter of its own.
    if (totalMinor > before) await queueLetter(trx, held, refundEmail, await refundsBefore(trx, storeId, id));
  });
}

/** How often something went back. */
async function refundsBefore(trx: Database, storeId: string, id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('ledger')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('store_id', '=', storeId)
    .where('account', '=', 'refunds')
    .where('cause', 'like', `refund of ${id}: %`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Refunds that a round of the sweep looks at. */
const BATCH = 200;

/**
 * Finishes what the operator wants to go back and the gateway has not answered.
 * @returns how many went back
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
    .limit(BATCH)
    .execute();
  return round.run({
    rows,
    noteTurn: (held) => rowOf(db, held).set({ swept_at: now }).execute(),
    settle: async (held) => {
      await refundSubscription(services, held);
      return true;
    },
    describe: ({ id }) => ({ subscription: id }),
    failure: 'a payment of a subscription could not be given back yet',
  });
}
