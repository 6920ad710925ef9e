import { writeAuditLog } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { notResumableError, type PaymentPort } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { isRunning, findLatestSubscription, type Subscriber, type Subscription } from '../entitlements/subscription.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Whether a subscription that is cancelled but active until its period ends can be reactivated;
 * undefined for any other subscription, and for a code's, which its customer never cancelled.
 */
export function isResumable(
  subscription: Subscription,
  { provider, resumes }: Pick<PaymentPort, 'provider' | 'resumes'>,
  now: Date,
): boolean | undefined {
  if (!isRunning(subscription, now) || subscription.cancelled_at === null || subscription.provider_id === null) return undefined;
  return resumes && subscription.provider === provider;
}

export const subscriptionOverError = (): DomainError =>
  new DomainError('conflict', 'The subscription has ended.', { code: 'subscription_over' });

/**
 * Stores the reactivation of a cancelled subscription before the gateway is called.
 * @returns the stored subscription; undefined if the customer has never had a subscription
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
    const subscription = await findLatestSubscription(trx, owner);
    if (!subscription) return undefined;
    if (!isRunning(subscription, now)) throw subscriptionOverError();
    if (subscription.cancelled_at === null) return subscription;
    if (isResumable(subscription, payment, now) !== true) throw notResumableError();
    const resumedSubscription = await trx
      .updateTable('subscriptions')
      // `cancel_told` is set even without a confirmed cancellation: the gateway may have received
      // it.
      .set({ cancelled_at: null, cancel_told: true, wishes: subscription.wishes + 1 })
      .where('store_id', '=', storeId)
      .where('id', '=', subscription.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await writeAuditLog(trx, 'subscription_resumed', owner);
    return resumedSubscription;
  });
}
