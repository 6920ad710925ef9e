import { type Kysely, sql } from 'kysely';

/** The number of titles to buy in a campaign for its rewards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column buy_count integer not null default 0 check (buy_count >= 0)`.execute(db);
}
