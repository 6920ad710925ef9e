import { type Kysely, sql } from 'kysely';

/** Fields of plans and of current and past subscriptions that customers see. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table plans add column translations jsonb not null default '{}'`.execute(db);
  // Null: the number of credits that the store gives with each renewal of any plan.
  await sql`alter table plans alter column credits drop not null, alter column credits drop default`.execute(db);
  await sql`alter table subscriptions add column ended_at timestamptz`.execute(db);
  await sql`create index subscriptions_by_user on subscriptions (store_id, user_id, started_at)`.execute(db);
}
