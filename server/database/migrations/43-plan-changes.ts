import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table plan_changes (
    store_id text not null,
    subscription_id text not null,
    number integer not null,
    id text not null,
    plan_id text not null,
    amount_minor bigint not null check (amount_minor > 0),
    currency text not null,
    period text not null,
    starts text not null check (starts in ('now', 'renewal')),
    counted_at timestamptz not null,
    status text not null default 'pending' check (status in ('pending', 'waiting', 'done', 'failed', 'withdrawn')),
    reason text,
    charged_minor bigint not null default 0 check (charged_minor >= 0),
    from_renewal integer,
    created_at timestamptz not null default now(),
    primary key (store_id, subscription_id, number),
    unique (store_id, id),
    foreign key (store_id, subscription_id) references subscriptions (store_id, id) on delete cascade,
    foreign key (store_id, plan_id) references plans (store_id, id)
  )`,
  // At most one change is being requested from the gateway, and at most one waits for the next
  // renewal.
  sql`create unique index plan_changes_pending on plan_changes (store_id, subscription_id) where status = 'pending'`,
  sql`create unique index plan_changes_waiting on plan_changes (store_id, subscription_id) where status = 'waiting'`,
];

/** Plan changes of active subscriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
