import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { setClockAhead } from '../base/clock/time.ts';

/**
 * `ahead` is the number of milliseconds by which the shop's time is ahead of the machine's, and
 * `targetAhead` that number once the requested move is complete.
 */
export type ClockRow = { ahead: number; targetAhead: number; isMovable: boolean };

/** Reads the clock and sets this process to its time. */
export async function readClock(db: Database): Promise<ClockRow> {
  const row = await db.selectFrom('shop_clock').selectAll().executeTakeFirstOrThrow();
  const clock = { ahead: Number(row.ahead_ms), targetAhead: Number(row.wanted_ms), isMovable: row.is_movable };
  setClockAhead(clock.ahead);
  return clock;
}

/**
 * Stores the target offset of the clock, in milliseconds.
 * @returns false where the clock would move backwards, or cannot be moved
 */
export async function requestTime(db: Database, targetAhead: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shop_clock')
    .set({ wanted_ms: targetAhead })
    .where('wanted_ms', '<=', targetAhead)
    .where('is_movable', '=', true)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Moves the clock and the time of this process; invalidates the caches of all stores. */
export async function moveClock(db: Database, ahead: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await trx.updateTable('shop_clock').set({ ahead_ms: ahead }).where('ahead_ms', '<', ahead).execute();
    await trx
      .updateTable('stores')
      .set({ version: sql<number>`version + 1` })
      .execute();
  });
  setClockAhead(ahead);
}

/**
 * Fixes the clock of this database for good: it can never be moved.
 * @returns false where it has been moved before
 */
export async function fixClock(db: Database): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('shop_clock')
    .set({ is_movable: false })
    .where('wanted_ms', '=', 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
