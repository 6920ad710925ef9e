import { note } from '../kernel/audit.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError } from '../kernel/errors.ts';
import { notResumed, type PaymentPort } from '../payment/port.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { isRunning, lastSubscription, type Subscriber, type Subscription } from '../entitlements/held.ts';
import { shopNow } from '../base/clock/time.ts';

/**
 * Whether one that was cancelled and still runs can be taken up again; undefined of any other, and of what came by a code, which ends
 * without having been cancelled by anybody.
 */
export function isResumable(
  held: Subscription,
  { provider, resumes }: Pick<PaymentPort, 'provider' | 'resumes'>,
  now: Date,
): boolean | undefined {
  if (!isRunning(held, now) || held.cancelled_at === null || held.provider_id === null) return undefined;
  return resumes && held.provider === provider;
}

export const isOver = (): DomainError =>
  new DomainError('conflict', 'The subscription has ended.', { code: 'subscription_over' });

/**
 * Writes down that the customer takes up again what they have cancelled, before the gateway is told.
 * @returns it as it is then; undefined where there never was one
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
    if (!isRunning(held, now)) throw isOver();
    if (held.cancelled_at === null) return held;
    if (isResumable(held, payment, now) !== true) throw notResumed();
    const resumed = await trx
      .updateTable('subscriptions')
      // Also where no answer has come to it the gateway may have heard that it was cancelled.
      .set({ cancelled_at: null, cancel_told: true, wishes: held.wishes + 1 })
      .where('store_id', '=', storeId)
      .where('id', '=', held.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await note(trx, 'subscription_resumed', owner);
    return resumed;
  });
}
