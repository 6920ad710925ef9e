import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { notResumableError, type PaymentPort } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { isRunning, lastSubscription, type Subscriber, type Subscription } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Whether a subscription that is cancelled but active until its period ends can be reactivated;
 * undefined for any other, and for one from a code, which was never cancelled by its customer.
 */
export function isResumable(
  held: Subscription,
  { provider, resumes }: Pick<PaymentPort, 'provider' | 'resumes'>,
  now: Date,
): boolean | undefined {
  if (!isRunning(held, now) || held.cancelled_at === null || held.provider_id === null) return undefined;
  return resumes && held.provider === provider;
}

export const subscriptionOverError = (): DomainError =>
  new DomainError('conflict', 'The subscription has ended.', { code: 'subscription_over' });

/**
 * Stores the reactivation of a cancelled subscription before the gateway is called.
 * @returns the subscription; undefined if the customer has never had one
 * @throws DomainError conflict subscription_over, not_resumable
 */
export async function beginResuming(
  { db, payment }: Pick<PaymentServices, 'db' | 'payment'>,
  owner: Subscriber & { address?: string },
  now = shopNow(),
): Promise<Subscription | undefined> {
  const { storeId, userId } = owner;
  return db.transaction().execute(async (trx) => {
    await lockCustomer(trx, storeId, userId);
    const held = await lastSubscription(trx, owner);
    if (!held) return undefined;
    if (!isRunning(held, now)) throw subscriptionOverError();
    if (held.cancelled_at === null) return held;
    if (isResumable(held, payment, now) !== true) throw notResumableError();
    const resumed = await trx
      .updateTable('subscriptions')
      // `cancel_told` even without an answer: the gateway may have received the cancellation.
      .set({ cancelled_at: null, cancel_told: true, wishes: held.wishes + 1 })
      .where('store_id', '=', storeId)
      .where('id', '=', held.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAuditLog(trx, 'subscription_resumed', owner);
    return resumed;
  });
}
