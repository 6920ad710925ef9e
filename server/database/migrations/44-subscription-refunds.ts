import { type Kysely, sql } from 'kysely';

/**
 * The refunded amount of a subscription, and whether the operator has requested a refund of the
 * last payment.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table subscriptions
    add column refunded_minor bigint not null default 0 check (refunded_minor >= 0),
    add column refunding boolean not null default false`.execute(db);
}
