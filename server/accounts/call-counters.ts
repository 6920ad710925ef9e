import { sql } from 'kysely';
import { realMomentSql as moment } from '../base/clock/sql-time.ts';
import type { Database } from '../database/open.ts';

/**
 * Undoes the count of a call under several subjects. One row after the other: a single update of
 * several rows may lock them in another order than a counting transaction.
 * @param endsWait also allows the next attempt at once
 */
export async function decrementCounters(db: Database, storeId: string, subjects: string[], endsWait = false): Promise<void> {
  for (const subject of subjects)
    await db
      .updateTable('rate_limit_counters')
      .set((eb) => ({ calls: eb('calls', '-', 1), ...(endsWait ? { retry_at: moment } : {}) }))
      .where('store_id', '=', storeId)
      .where('subject', '=', subject)
      .where('calls', '>', 0)
      .execute();
}

/** Deletes the counter of a subject. */
export async function resetCounter(db: Database, storeId: string, subject: string): Promise<void> {
  await db.deleteFrom('rate_limit_counters').where('store_id', '=', storeId).where('subject', '=', subject).execute();
}

const isOver = sql<boolean>`rate_limit_counters.window_ends_at < ${moment}`;
const calls = sql<number>`case when ${isOver} then 1 else rate_limit_counters.calls + 1 end`;
/** Whole seconds from now, at least one. */
const secondsUntil = (column: 'retry_at' | 'window_ends_at') =>
  sql<number>`greatest(1, ceil(extract(epoch from ${sql.ref(`rate_limit_counters.${column}`)} - ${moment})))::int`;

/** A counter of calls within a window, and how many it allows. */
export type Limit = { subject: string; maxCalls: number; minutes: number };

/**
 * Counts a call in the window that the first one opened. Of the calls over the limit two are
 * counted, so that taking good calls back makes room again, however many were refused.
 * @returns the calls of the window, with this one: `maxCalls` + 1 for the first that is over; and
 * the seconds that are left of the window
 */
export async function incrementCounter(
  db: Database,
  storeId: string,
  { subject, maxCalls, minutes }: Limit,
): Promise<{ calls: number; secondsLeft: number }> {
  const ends = sql<Date>`${moment} + make_interval(mins => ${minutes}::int)`;
  return db
    .insertInto('rate_limit_counters')
    .values({ store_id: storeId, subject, calls: 1, window_ends_at: ends })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'subject']).doUpdateSet({
        calls: sql`least(${calls}, ${maxCalls}::int + 2)`,
        window_ends_at: sql`case when ${isOver} then ${ends} else rate_limit_counters.window_ends_at end`,
      }),
    )
    .returning(['calls', secondsUntil('window_ends_at').as('secondsLeft')])
    .executeTakeFirstOrThrow();
}

/**
 * Growing delays: after `free` attempts within `minutes`, each attempt doubles the delay of the
 * previous one, from 2 s up to `maxWaitSeconds`. `reopens`: the counter is reset `minutes` after
 * the last delay, not after the first attempt.
 */
export type DelayRule = { free: number; maxWaitSeconds: number; minutes: number; reopens: boolean };

/**
 * Counts an attempt unless the delay after the previous one is still running.
 * @returns seconds left to wait; 0 when it was counted
 */
export async function incrementCounterWithDelay(
  db: Database,
  storeId: string,
  subject: string,
  { free, maxWaitSeconds, minutes, reopens }: DelayRule,
): Promise<number> {
  const wait = sql`make_interval(secs => case when ${calls} < ${free}::int then 0
    else least(${maxWaitSeconds}::int, 2 ^ least(${calls} - ${free}::int + 1, 20)) end)`;
  const rest = sql`make_interval(mins => ${minutes}::int)`;
  const ends = sql<Date>`${moment} + ${wait} + ${rest}`;
  const counted = await db
    .insertInto('rate_limit_counters')
    .values({ store_id: storeId, subject, calls: 1, retry_at: moment, window_ends_at: sql<Date>`${moment} + ${rest}` })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'subject'])
        .doUpdateSet({
          calls,
          retry_at: sql<Date>`${moment} + ${wait}`,
          window_ends_at: reopens
            ? ends
            : sql<Date>`case when ${isOver} then ${ends} else rate_limit_counters.window_ends_at end`,
        })
        .where('rate_limit_counters.retry_at', '<=', moment),
    )
    .returning('calls')
    .executeTakeFirst();
  if (counted) return 0;
  const row = await db
    .selectFrom('rate_limit_counters')
    .select(secondsUntil('retry_at').as('seconds'))
    .where('store_id', '=', storeId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.seconds ?? 1;
}
