import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table campaigns (
    store_id text not null references stores on delete cascade,
    id text not null,
    name text not null,
    html text not null default '',
    reward_count integer not null default 0,
    starts_at timestamptz,
    ends_at timestamptz,
    primary key (store_id, id)
  )`,
  sql`create table campaign_titles (
    store_id text not null,
    campaign_id text not null,
    title_id text not null,
    is_reward boolean not null default false,
    amount_minor bigint check (amount_minor >= 0),
    currency text,
    position integer not null default 0,
    primary key (store_id, campaign_id, title_id),
    foreign key (store_id, campaign_id) references campaigns (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`,
  sql`create table carts (
    store_id text not null,
    user_id text not null,
    code text,
    updated_at timestamptz not null default now(),
    primary key (store_id, user_id),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  sql`create table cart_lines (
    store_id text not null,
    user_id text not null,
    title_id text not null,
    campaign_id text,
    added_at timestamptz not null default now(),
    primary key (store_id, user_id, title_id),
    foreign key (store_id, user_id) references carts (store_id, user_id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade,
    foreign key (store_id, campaign_id) references campaigns (store_id, id) on delete cascade
  )`,
  sql`create table codes (
    store_id text not null references stores on delete cascade,
    code text not null,
    kind text not null check (kind in ('title', 'titles', 'subscription', 'discount', 'campaign')),
    title_id text,
    plan_id text,
    campaign_id text,
    percent_off integer check (percent_off between 1 and 100),
    uses_left integer check (uses_left >= 0),
    expires_at timestamptz,
    primary key (store_id, code),
    foreign key (store_id, title_id) references titles (store_id, id),
    foreign key (store_id, plan_id) references plans (store_id, id),
    foreign key (store_id, campaign_id) references campaigns (store_id, id)
  )`,
  sql`create table redemptions (
    store_id text not null,
    code text not null,
    user_id text not null,
    redeemed_at timestamptz not null default now(),
    primary key (store_id, code, user_id),
    foreign key (store_id, code) references codes (store_id, code),
    foreign key (store_id, user_id) references users (store_id, id)
  )`,
  // A ledger of credits: the balance is the sum, and each cause is booked once.
  sql`create table credits (
    store_id text not null,
    user_id text not null,
    cause text not null,
    amount integer not null check (amount <> 0),
    booked_at timestamptz not null default now(),
    primary key (store_id, user_id, cause),
    foreign key (store_id, user_id) references users (store_id, id)
  )`,
  sql`create table subscriptions (
    store_id text not null,
    id text not null,
    user_id text not null,
    plan_id text not null,
    status text not null check (status in ('pending', 'active', 'past_due', 'cancelled', 'ended')),
    provider text not null,
    provider_id text,
    started_at timestamptz not null default now(),
    renews_at timestamptz,
    cancelled_at timestamptz,
    primary key (store_id, id),
    unique (provider, provider_id),
    foreign key (store_id, user_id) references users (store_id, id),
    foreign key (store_id, plan_id) references plans (store_id, id)
  )`,
  sql`create unique index subscriptions_one_running on subscriptions (store_id, user_id)
    where status in ('active', 'past_due')`,
  sql`create table gifts (
    store_id text not null,
    id text not null,
    giver_id text not null,
    title_id text not null,
    transaction_id text,
    recipient_name text not null,
    recipient_email text not null,
    message text not null default '',
    code text,
    sent_at timestamptz,
    claimed_by text,
    primary key (store_id, id),
    unique (store_id, transaction_id, title_id),
    foreign key (store_id, giver_id) references users (store_id, id),
    foreign key (store_id, claimed_by) references users (store_id, id),
    foreign key (store_id, title_id) references titles (store_id, id),
    foreign key (store_id, transaction_id) references transactions (store_id, id),
    foreign key (store_id, code) references codes (store_id, code)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
