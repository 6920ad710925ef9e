import { type Kysely, sql } from 'kysely';

/** What was cancelled can be taken up again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions add column wishes integer not null default 0`.execute(db);
}
