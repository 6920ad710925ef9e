import { type Kysely, sql } from 'kysely';

/** Subscribing: a payment that starts a subscription, which the gateway renews. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // A trial begins with a payment of 0.
  await sql`alter table transactions drop constraint transactions_amount_minor_check`.execute(db);
  await sql`alter table transactions add constraint transactions_amount_minor_check check (amount_minor >= 0)`.execute(db);
  // Two browser windows cannot subscribe one customer twice.
  await sql`create unique index transactions_one_subscription on transactions (store_id, user_id)
    where kind = 'subscription' and status in ('pending', 'authorized', 'capturing')`.execute(db);
  // The agreed price; null: the plan's.
  await sql`alter table subscriptions
    add column amount_minor bigint check (amount_minor >= 0),
    add column currency text,
    add column period text,
    add column renewals integer not null default 0,
    add column cancel_told boolean not null default false,
    add column swept_at timestamptz`.execute(db);
  await sql`create index subscriptions_due on subscriptions (renews_at) where status in ('active', 'past_due')`.execute(db);
}
