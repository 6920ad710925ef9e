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

const isWindowOver = sql<boolean>`rate_limit_counters.window_ends_at < ${moment}`;
const calls = sql<number>`case when ${isWindowOver} then 1 else rate_limit_counters.calls + 1 end`;
/** SQL of the whole seconds from now until a column's moment, at least 1. */
const secondsUntil = (column: 'retry_at' | 'window_ends_at') =>
  sql<number>`greatest(1, ceil(extract(epoch from ${sql.ref(`rate_limit_counters.${column}`)} - ${moment})))::int`;

/** A counter of calls within a window, and how many it allows. */
export type Limit = { subject: string; maxCalls: number; minutes: number };

/**
 * Counts a call in the window that the first call opened. At most two calls over the limit are
 * counted, so that decrementing for good calls makes room again, however many were refused.
 * @returns the number of calls in the window, this one included: `maxCalls` + 1 for the first call
 * over the limit; and the seconds until the window ends
 */
export async function incrementCounter(
  db: Database,
  storeId: string,
  { subject, maxCalls, minutes }: Limit,
): Promise<{ calls: number; secondsLeft: number }> {
  const windowEnd = sql<Date>`${moment} + make_interval(mins => ${minutes}::int)`;
  return db
    .insertInto('rate_limit_counters')
    .values({ store_id: storeId, subject, calls: 1, window_ends_at: windowEnd })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'subject']).doUpdateSet({
        calls: sql`least(${calls}, ${maxCalls}::int + 2)`,
        window_ends_at: sql`case when ${isWindowOver} then ${windowEnd} else rate_limit_counters.window_ends_at end`,
      }),
    )
    .returning(['calls', secondsUntil('window_ends_at').as('secondsLeft')])
    .executeTakeFirstOrThrow();
}

/**
 * Growing delays: after the free attempts within `minutes`, each attempt doubles the delay of the
 * previous one, from 2 s up to `maxWaitSeconds`. `reopens`: the counter is reset `minutes` after
 * the last delay, not after the first attempt.
 */
export type DelayRule = { freeAttempts: number; maxWaitSeconds: number; minutes: number; reopens: boolean };

/**
 * Counts an attempt unless the delay after the previous one is still running.
 * @returns seconds left to wait; 0 when it was counted
 */
export async function incrementCounterWithDelay(
  db: Database,
  storeId: string,
  subject: string,
  { freeAttempts, maxWaitSeconds, minutes, reopens }: DelayRule,
): Promise<number> {
  const delay = sql`make_interval(secs => case when ${calls} < ${freeAttempts}::int then 0
    else least(${maxWaitSeconds}::int, 2 ^ least(${calls} - ${freeAttempts}::int + 1, 20)) end)`;
  const windowLength = sql`make_interval(mins => ${minutes}::int)`;
  const delayedWindowEnd = sql<Date>`${moment} + ${delay} + ${windowLength}`;
  const countedRow = await db
    .insertInto('rate_limit_counters')
    .values({ store_id: storeId, subject, calls: 1, retry_at: moment, window_ends_at: sql<Date>`${moment} + ${windowLength}` })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'subject'])
        .doUpdateSet({
          calls,
          retry_at: sql<Date>`${moment} + ${delay}`,
          window_ends_at: reopens
            ? delayedWindowEnd
            : sql<Date>`case when ${isWindowOver} then ${delayedWindowEnd} else rate_limit_counters.window_ends_at end`,
        })
        .where('rate_limit_counters.retry_at', '<=', moment),
    )
    .returning('calls')
    .executeTakeFirst();
  if (countedRow) return 0;
  const row = await db
    .selectFrom('rate_limit_counters')
    .select(secondsUntil('retry_at').as('seconds'))
    .where('store_id', '=', storeId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.seconds ?? 1;
}
