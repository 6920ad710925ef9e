import { type Kysely, sql } from 'kysely';

/** When the sweep looked at a change last: one that gets no answer keeps no other waiting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plan_changes add column swept_at timestamptz`.execute(db);
}
