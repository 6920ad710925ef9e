import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { PlansTable } from '../database/schema/payments.ts';
import type { Subscriber } from '../entitlements/subscription.ts';
import { endLapsed } from './start.ts';

/** The end of a period that starts now. */
const periodEnds: Record<PlansTable['period'], RawBuilder<Date>> = {
  week: sql<Date>`shop_now() + interval '7 days'`,
  month: sql<Date>`shop_now() + interval '1 month'`,
  quarter: sql<Date>`shop_now() + interval '3 months'`,
  year: sql<Date>`shop_now() + interval '1 year'`,
};

/**
 * Grants one free period of a plan, in the caller's database transaction. Without a card it cannot
 * renew, so the subscription is stored as cancelled and ends with the period. The caller must hold
 * the customer's lock and have checked that no other subscription is active.
 */
export async function giveSubscription(trx: Database, owner: Subscriber, planId: string): Promise<void> {
  const plan = await trx
    .selectFrom('plans')
    .select(['currency', 'period'])
    .where('store_id', '=', owner.storeId)
    .where('id', '=', planId)
    .executeTakeFirstOrThrow();
  await endLapsed(trx, owner);
  await trx
    .insertInto('subscriptions')
    .values({
      store_id: owner.storeId,
      id: randomUUID(),
      user_id: owner.userId,
      plan_id: planId,
      status: 'active',
      provider: 'code',
      renews_at: periodEnds[plan.period],
      cancelled_at: sql<Date>`shop_now()`,
      cancel_told: true,
      amount_minor: 0,
      ...plan,
    })
    .execute();
}
