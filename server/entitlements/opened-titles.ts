import { randomUUID } from 'node:crypto';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { isRunning, findLatestSubscription, findActiveSubscription, isActiveAt, type Subscriber } from './subscription.ts';
import { shopNow } from '../base/clock/time.ts';

type SubscriberTitle = Subscriber & { titleId: string };

const DAY_MS = 24 * 60 * 60_000;
/** How long the library shows the number of titles that have left it, in ms. */
const LISTED_FOR_MS = 30 * DAY_MS;

/**
 * Condition: the plan opens the title, either as one of all offered titles or by the plan's list.
 */
const opensTitle = (eb: ExpressionBuilder<Tables, 'plans' | 'titles'>) =>
  eb.or([
    eb.and([eb('plans.opens_all', '=', true), eb('titles.offered', '=', true)]),
    eb.exists(
      eb
        .selectFrom('plan_titles')
        .select('plan_titles.plan_id')
        .whereRef('plan_titles.store_id', '=', 'plans.store_id')
        .whereRef('plan_titles.plan_id', '=', 'plans.id')
        .whereRef('plan_titles.title_id', '=', 'titles.id'),
    ),
  ]);

/** Selects the number of offered titles in a plan's list. */
export const countNamedTitles = (eb: ExpressionBuilder<Tables, 'plans'>) =>
  eb
    .selectFrom('plan_titles')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'plan_titles.store_id').onRef('titles.id', '=', 'plan_titles.title_id'),
    )
    .whereRef('plan_titles.store_id', '=', 'plans.store_id')
    .whereRef('plan_titles.plan_id', '=', 'plans.id')
    .where('titles.offered', '=', true)
    .select(sql<number>`count(*)::int`.as('count'))
    .as('titles_named');

/** Maximum titles returned for a plan. */
const MAX_LISTED = 50;

/** Selects the first offered titles of a plan's list, by name. */
export const selectOpenedTitles = (eb: ExpressionBuilder<Tables, 'plans'>) =>
  eb
    .selectFrom(
      eb
        .selectFrom('plan_titles')
        .innerJoin('titles', (join) =>
          join.onRef('titles.store_id', '=', 'plan_titles.store_id').onRef('titles.id', '=', 'plan_titles.title_id'),
        )
        .whereRef('plan_titles.store_id', '=', 'plans.store_id')
        .whereRef('plan_titles.plan_id', '=', 'plans.id')
        .where('titles.offered', '=', true)
        .select(['titles.id', 'titles.name', 'titles.sort_name'])
        .orderBy('titles.sort_name')
        .orderBy('titles.id')
        .limit(MAX_LISTED)
        .as('opened'),
    )
    .select(
      sql<{ id: string; name: string }[]>`coalesce(jsonb_agg(jsonb_build_object('id', opened.id, 'name', opened.name)
        order by opened.sort_name, opened.id), '[]'::jsonb)`.as('all_opened'),
    )
    .as('titles_opened');

/** Condition: a plan on offer opens the title. */
export const isInPlan = (eb: ExpressionBuilder<Tables, 'titles'>) =>
  eb.exists(
    eb
      .selectFrom('plans')
      .select('plans.id')
      .whereRef('plans.store_id', '=', 'titles.store_id')
      .where('plans.active', '=', true)
      .where((each) => opensTitle(each as never)),
  );

/** Condition: the customer's active subscription opens the copy's title. */
export const isOpenedNow = (eb: ExpressionBuilder<Tables, 'entitlements'>) =>
  eb.exists(
    eb
      .selectFrom('subscriptions')
      .innerJoin('plans', (join) =>
        join.onRef('plans.store_id', '=', 'subscriptions.store_id').onRef('plans.id', '=', 'subscriptions.plan_id'),
      )
      .innerJoin('titles', (join) =>
        join.onRef('titles.store_id', '=', 'entitlements.store_id').onRef('titles.id', '=', 'entitlements.title_id'),
      )
      .select('subscriptions.id')
      .whereRef('subscriptions.store_id', '=', 'entitlements.store_id')
      .whereRef('subscriptions.user_id', '=', 'entitlements.user_id')
      .where(isActiveAt(shopNow()))
      .where(opensTitle),
  );

/** Whether the customer's active subscription opens a title. */
export async function hasOpeningSubscription(db: Database, { storeId, userId, titleId }: SubscriberTitle): Promise<boolean> {
  const row = await db
    .selectFrom('subscriptions')
    .innerJoin('plans', (join) =>
      join.onRef('plans.store_id', '=', 'subscriptions.store_id').onRef('plans.id', '=', 'subscriptions.plan_id'),
    )
    .innerJoin('titles', 'titles.store_id', 'subscriptions.store_id')
    .select('subscriptions.id')
    .where('subscriptions.store_id', '=', storeId)
    .where('subscriptions.user_id', '=', userId)
    .where('titles.id', '=', titleId)
    .where(isActiveAt(shopNow()))
    .where(opensTitle)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Reads the titles that the customer's active subscription opens: all offered titles (`opensAll`),
 * and those of its plan's list.
 */
export async function readOpenedTitles(db: Database, subscriber: Subscriber): Promise<{ opensAll: boolean; titleIds: string[] }> {
  const subscription = await findActiveSubscription(db, subscriber);
  if (!subscription) return { opensAll: false, titleIds: [] };
  const { opens_all: opensAll } = await db
    .selectFrom('plans')
    .select('opens_all')
    .where('store_id', '=', subscription.store_id)
    .where('id', '=', subscription.plan_id)
    .executeTakeFirstOrThrow();
  const planTitles = await db
    .selectFrom('plan_titles')
    .select('title_id')
    .where('store_id', '=', subscription.store_id)
    .where('plan_id', '=', subscription.plan_id)
    .orderBy('title_id')
    .execute();
  return { opensAll, titleIds: planTitles.map(({ title_id: id }) => id) };
}

/** Returns the SQL condition that a plan opens the title. */
export const isOpenedBy = (planId: string) =>
  sql<boolean>`exists (select 1 from plans where plans.store_id = titles.store_id and plans.id = ${planId} and (plans.opens_all
    or exists (select 1 from plan_titles where plan_titles.store_id = plans.store_id and plan_titles.plan_id = plans.id
      and plan_titles.title_id = titles.id)))`;

/**
 * Adds a title that the customer's subscription opens to their library; idempotent.
 * @returns the copy's id
 */
export async function addOpenedTitle(db: Database, { storeId, userId, titleId }: SubscriberTitle): Promise<string> {
  const copy = { store_id: storeId, user_id: userId, title_id: titleId, source: 'subscription' } as const;
  await db
    .insertInto('entitlements')
    .values({ ...copy, instance_id: randomUUID(), purchase_id: null, expires_at: null })
    .onConflict((conflict) => conflict.columns(['store_id', 'user_id', 'title_id', 'source']).doNothing())
    .execute();
  const { instance_id: id } = await db
    .selectFrom('entitlements')
    .select('instance_id')
    .where('store_id', '=', storeId)
    .where('user_id', '=', userId)
    .where('title_id', '=', titleId)
    .where('source', '=', 'subscription')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Reads the number of titles that left a library when its subscription ended, and the time of that
 * end; null if no title left, or the end is longer ago than `LISTED_FOR_MS`.
 */
export async function readLostTitles(
  db: Database,
  subscriber: Subscriber,
  now = shopNow(),
): Promise<{ count: number; at: Date } | null> {
  const subscription = await findLatestSubscription(db, subscriber);
  if (!subscription || isRunning(subscription, now)) return null;
  const at = subscription.ended_at ?? subscription.renews_at;
  if (at === null || at.getTime() < now.getTime() - LISTED_FOR_MS) return null;
  const { count } = await db
    .selectFrom('entitlements')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('store_id', '=', subscriber.storeId)
    .where('user_id', '=', subscriber.userId)
    .where('source', '=', 'subscription')
    .where('title_id', 'not in', (eb) =>
      eb
        .selectFrom('entitlements as kept')
        .select('kept.title_id')
        .where('kept.store_id', '=', subscriber.storeId)
        .where('kept.user_id', '=', subscriber.userId)
        .where('kept.source', '<>', 'subscription'),
    )
    .executeTakeFirstOrThrow();
  return Number(count) === 0 ? null : { count: Number(count), at };
}
