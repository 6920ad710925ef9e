import { sql } from 'kysely';
import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import type { Database } from '../database/open.ts';
import { isRunning, findLatestSubscription, type Subscriber } from '../entitlements/subscription.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Cancels the customer's subscription: it stays active until the end of the paid period and is not
 * renewed. A subscription without a known end is ended immediately. Idempotent.
 * @returns false if the customer has never had a subscription
 */
export async function cancelAtEnd(db: Database, owner: Subscriber & { address?: string }, now = shopNow()): Promise<boolean> {
  const { storeId, userId } = owner;
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, userId);
    const subscription = await findLatestSubscription(trx, owner);
    if (!subscription) return false;
    if (!isRunning(subscription, now) || subscription.cancelled_at !== null) return true;
    await trx
      .updateTable('subscriptions')
      .set({
        cancelled_at: now,
        cancel_told: false,
        wishes: subscription.wishes + 1,
        ...(subscription.renews_at === null ? { status: 'ended', ended_at: now } : {}),
      })
      .where('store_id', '=', storeId)
      .where('id', '=', subscription.id)
      .execute();
    await writeAuditLog(trx, 'subscription_cancelled', owner);
    return true;
  });
}

/**
 * Ends the active subscription of a deleted customer immediately. The caller must hold the
 * customer's lock.
 */
export async function endSubscriptions(trx: Database, { storeId, userId }: Subscriber, now = shopNow()): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set((eb) => ({
      status: 'ended',
      ended_at: now,
      cancelled_at: eb.fn.coalesce('cancelled_at', eb.val(now)),
      // A reactivated subscription has to be cancelled at the gateway again.
      cancel_told: sql<boolean>`cancel_told and cancelled_at is not null`,
      wishes: eb('wishes', '+', 1),
    }))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['active', 'past_due'])
    .execute();
}
