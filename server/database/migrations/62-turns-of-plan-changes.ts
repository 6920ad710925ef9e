import { type Kysely, sql } from 'kysely';

/** The last visit of the sweep: a change without an answer does not hold up others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan_changes add column swept_at timestamptz`.execute(db);
}
