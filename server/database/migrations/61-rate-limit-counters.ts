import { type Kysely, sql } from 'kysely';

/**
 * Renames the counters of all rate limits. Processes of the previous version use the old name, now
 * a view, until they have stopped.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sign_in_attempts rename to rate_limit_counters`.execute(db);
  await sql`alter table rate_limit_counters rename column failures to calls`.execute(db);
  await sql`create view sign_in_attempts as
    select store_id, subject, calls as failures, window_ends_at, retry_at from rate_limit_counters`.execute(db);
}
