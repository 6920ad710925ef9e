import { sql } from 'kysely';
import type { Database } from '../database/open.ts';

/** Takes a call back that was counted under some subjects. */
export async function decrement(db: Database, storeId: string, subjects: string[]): Promise<void> {
  await db
    .updateTable('sign_in_attempts')
    .set((eb) => ({ failures: eb('failures', '-', 1) }))
    .where('store_id', '=', storeId)
    .where('subject', 'in', subjects)
    .where('failures', '>', 0)
    .execute();
}

/** @returns the calls of the window that the first of them opened, with this one */
export async function increment(db: Database, storeId: string, subject: string, minutes: number): Promise<number> {
  const ends = sql<Date>`now() + make_interval(mins => ${minutes}::int)`;
  const row = await db
    .insertInto('sign_in_attempts')
    .values({ store_id: storeId, subject, failures: 1, window_ends_at: ends })
    .onConflict((conflict) =>
      conflict.columns(['store_id', 'subject']).doUpdateSet({
        failures: sql`case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.failures + 1 end`,
        window_ends_at: sql`case when sign_in_attempts.window_ends_at < now() then ${ends}
          else sign_in_attempts.window_ends_at end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  return row.failures;
}

/**
 * Counts an attempt unless it comes before the wait is over that the last one cost. After `free`
 * attempts the wait doubles, from two seconds. All is forgotten `minutes` after the last wait.
 * @returns seconds that are left to wait; 0 when it was counted
 */
export async function incrementWithDelay(
  db: Database,
  storeId: string,
  subject: string,
  { free, maxWaitSeconds, minutes }: { free: number; maxWaitSeconds: number; minutes: number },
): Promise<number> {
  const failures = sql<number>`case when sign_in_attempts.window_ends_at < now() then 1 else sign_in_attempts.failures + 1 end`;
  const wait = sql`make_interval(secs => case when ${failures} < ${free}::int then 0
    else least(${maxWaitSeconds}::int, 2 ^ least(${failures} - ${free}::int + 1, 20)) end)`;
  const rest = sql`make_interval(mins => ${minutes}::int)`;
  const counted = await db
    .insertInto('sign_in_attempts')
    .values({ store_id: storeId, subject, failures: 1, window_ends_at: sql<Date>`now() + ${rest}` })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'subject'])
        .doUpdateSet({
          failures,
          retry_at: sql<Date>`now() + ${wait}`,
          window_ends_at: sql<Date>`now() + ${wait} + ${rest}`,
        })
        // The time of this moment: a call of the same time may have begun later, and counted first.
        .where('sign_in_attempts.retry_at', '<=', sql<Date>`clock_timestamp()`),
    )
    .returning('failures')
    .executeTakeFirst();
  if (counted) return 0;
  const row = await db
    .selectFrom('sign_in_attempts')
    .select(sql<number>`ceil(extract(epoch from retry_at - now()))::int`.as('seconds'))
    .where('store_id', '=', storeId)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return Math.max(1, row?.seconds ?? 1);
}
