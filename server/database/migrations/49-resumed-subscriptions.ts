import { type Kysely, sql } from 'kysely';

/** Counts cancellations and reactivations, so that a cancelled subscription can be reactivated. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column wishes integer not null default 0`.execute(db);
}
