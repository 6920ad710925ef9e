import { type Kysely, sql } from 'kysely';

/** How many titles of a campaign are bought for its rewards. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table campaigns add column buy_count integer not null default 0 check (buy_count >= 0)`.execute(db);
}
