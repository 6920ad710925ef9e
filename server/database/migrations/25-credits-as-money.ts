import { type Kysely, sql } from 'kysely';

/** Titles for credits: the price in credits, and the credits paid. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table titles add column credits integer check (credits > 0)`.execute(db);
  await sql`alter table purchases add column credits integer check (credits > 0)`.execute(db);
}
