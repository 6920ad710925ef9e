import type { ExpressionBuilder, Selectable } from 'kysely';
import { readProperty } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';
import type { SubscriptionsTable } from '../database/schema/offers.ts';
import type { Tables } from '../database/schema/tables.ts';
import { shopNow } from '../base/clock/time.ts';

export type Subscription = Selectable<SubscriptionsTable>;

export type Subscriber = { storeId: string; userId: string };

/**
 * Returns the condition that a subscription is active. A cancelled subscription is active until the
 * end of the paid period.
 */
export const isActiveAt = (now: Date) => (eb: ExpressionBuilder<Tables, 'subscriptions'>) =>
  eb.and([
    eb('subscriptions.status', 'in', ['active', 'past_due']),
    eb.or([eb('subscriptions.cancelled_at', 'is', null), eb('subscriptions.renews_at', '>', now)]),
  ]);

/** Like `isActiveAt`, for a row that was read. */
export const isRunning = ({ status, cancelled_at, renews_at }: Subscription, now: Date): boolean =>
  (status === 'active' || status === 'past_due') && (cancelled_at === null || (renews_at !== null && renews_at > now));

/** Finds the customer's active subscription. */
export const findActiveSubscription = (
  db: Database,
  { storeId, userId }: Subscriber,
  now = shopNow(),
): Promise<Subscription | undefined> =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where(isActiveAt(now))
    .executeTakeFirst();

/** Finds the active subscription, or else the latest one, with its plan. */
export const findLatestSubscription = (db: Database, { storeId, userId }: Subscriber) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', (join) =>
      join.onRef('plans.store_id', '=', 'subscriptions.store_id').onRef('plans.id', '=', 'subscriptions.plan_id'),
    )
    .selectAll('subscriptions')
    .select(['plans.name', 'plans.translations', 'plans.credits'])
    // Subscribers keep their price when the plan's price changes.
    .select((eb) => [
      eb.fn.coalesce('subscriptions.amount_minor', 'plans.amount_minor').as('price'),
      eb.fn.coalesce('subscriptions.currency', 'plans.currency').as('paid_in'),
      eb.fn.coalesce('subscriptions.period', 'plans.period').as('paid_each'),
    ])
    .where('subscriptions.store_id', '=', storeId)
    .where('subscriptions.user_id', '=', userId)
    .where('subscriptions.status', 'in', ['active', 'past_due', 'ended'])
    .orderBy((eb) => eb.case().when('subscriptions.status', '=', 'ended').then(1).else(0).end())
    .orderBy('subscriptions.started_at', 'desc')
    .orderBy('subscriptions.id')
    .limit(1)
    .executeTakeFirst();

/** Reads the credits of a renewal whose plan does not define a number of credits. */
export async function readCreditsPerRenewal(db: Database, storeId: string): Promise<number> {
  return Number(await readProperty(db, storeId, 'CreditsPerRenewal'));
}
