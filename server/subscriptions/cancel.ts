import { sql } from 'kysely';
import { note } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import type { Database } from '../database/open.ts';
import { isRunning, lastSubscription, type Subscriber } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Cancels what the customer has subscribed to: it runs to the end of what is paid for, and is not renewed. One whose end nobody
 * knows ends at once. Asked again it changes nothing.
 * @returns false where there never was one
 */
export async function cancelAtEnd(db: Database, owner: Subscriber & { address?: string }, now = shopNow()): Promise<boolean> {
  const { storeId, userId } = owner;
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, userId);
    const held = await lastSubscription(trx, owner);
    if (!held) return false;
    if (!isRunning(held, now) || held.cancelled_at !== null) return true;
    await trx
      .updateTable('subscriptions')
      .set({
        cancelled_at: now,
        cancel_told: false,
        wishes: held.wishes + 1,
        ...(held.renews_at === null ? { status: 'ended', ended_at: now } : {}),
      })
      .where('store_id', '=', storeId)
      .where('id', '=', held.id)
      .execute();
    await note(trx, 'subscription_cancelled', owner);
    return true;
  });
}

/** Ends what still runs, at once: its customer is gone. The caller holds the customer's lock. */
export async function endSubscriptions(trx: Database, { storeId, userId }: Subscriber, now = shopNow()): Promise<void> {
  await trx
    .updateTable('subscriptions')
    .set((eb) => ({
      status: 'ended',
      ended_at: now,
      cancelled_at: eb.fn.coalesce('cancelled_at', eb.val(now)),
      // What was taken up again is to be ended there.
      cancel_told: sql<boolean>`cancel_told and cancelled_at is not null`,
      wishes: eb('wishes', '+', 1),
    }))
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('status', 'in', ['active', 'past_due'])
    .execute();
}
