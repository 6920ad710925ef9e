import { type Kysely, sql } from 'kysely';

/** What went back of a subscription's payments, and whether the operator wants the last one to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions
    add column refunded_minor bigint not null default 0 check (refunded_minor >= 0),
    add column refunding boolean not null default false`.execute(db);
}
