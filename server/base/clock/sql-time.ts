import { sql } from 'kysely';

/*
 * Times in statements: `shop_now()` is the shop's time at the beginning of the transaction. The
 * constants below are the database's own time, which does not move with the shop's clock;
 * `time.ts` says when to use which.
 */

/** The database's time at the beginning of the transaction. */
export const realNowSql = sql<Date>`now()`;

/** The database's time now: a transaction that waits for another's row may have begun before it. */
export const realMomentSql = sql<Date>`clock_timestamp()`;
