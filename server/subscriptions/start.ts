import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import type { Database } from '../database/open.ts';
import type { RemoteSubscription, Terms } from '../payment/port.ts';
import type { Transaction } from '../payment/transactions.ts';
import type { Subscriber } from '../entitlements/subscription.ts';
import { shopNow } from '../base/clock/time.ts';

/** Ends a cancelled subscription whose period has ended, so that another one can start. */
export async function endLapsed(db: Database, { storeId, userId }: Subscriber, now = shopNow()): Promise<void> {
  await db
    .updateTable('subscriptions')
    .set((eb) => ({ status: 'ended', ended_at: eb.ref('renews_at') }))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['active', 'past_due'])
    .where('cancelled_at', 'is not', null)
    .where('renews_at', '<=', now)
    .execute();
}

/**
 * Starts a paid subscription, in the caller's database transaction. The subscription gets the
 * transaction's id.
 */
export async function startSubscription(
  trx: Database,
  transaction: Transaction,
  { id, until }: RemoteSubscription,
): Promise<void> {
  const { store_id: storeId, user_id: userId, plan_id: planId, currency, provider } = transaction;
  if (planId === null) throw new Error(`Transaction ${transaction.id} has no plan_id.`);
  const { amountMinor, period } = transaction.details as Terms;
  await lockCustomer(trx, storeId, userId);
  await endLapsed(trx, { storeId, userId });
  await trx
    .insertInto('subscriptions')
    .values({
      store_id: storeId,
      id: transaction.id,
      user_id: userId,
      plan_id: planId,
      status: 'active',
      provider,
      provider_id: id,
      renews_at: new Date(until),
      amount_minor: amountMinor,
      currency,
      period,
    })
    .execute();
  await writeAuditLog(trx, 'subscribed', { storeId, userId });
}
