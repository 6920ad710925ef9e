import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table plans (
    store_id text not null references stores on delete cascade,
    id text not null,
    name text not null,
    description text not null default '',
    amount_minor bigint not null check (amount_minor >= 0),
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    period text not null check (period in ('week', 'month', 'quarter', 'year')),
    trial_days integer not null default 0,
    credits integer not null default 0,
    position integer not null default 0,
    active boolean not null default true,
    primary key (store_id, id)
  )`,
  // Objects at the gateway are referred to by its own ids; card numbers are never stored here.
  sql`create table cards (
    store_id text not null,
    id text not null,
    user_id text not null,
    gateway_card text not null,
    brand text not null,
    last4 text not null,
    exp_month smallint not null,
    exp_year smallint not null,
    is_default boolean not null default false,
    created_at timestamptz not null default now(),
    primary key (store_id, id),
    unique (store_id, user_id, gateway_card),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  sql`create unique index cards_one_default on cards (store_id, user_id) where is_default`,
  sql`create table transactions (
    store_id text not null,
    id text not null,
    user_id text not null,
    kind text not null check (kind in ('title', 'gift', 'cart', 'subscription')),
    title_id text,
    plan_id text,
    amount_minor bigint not null check (amount_minor > 0),
    currency text not null,
    status text not null
      check (status in ('pending', 'authorized', 'capturing', 'paid', 'failed', 'cancelled')),
    provider text not null,
    intent_id text,
    reason text,
    details jsonb not null default '{}',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (store_id, id),
    unique (provider, intent_id),
    foreign key (store_id, user_id) references users (store_id, id),
    foreign key (store_id, title_id) references titles (store_id, id),
    foreign key (store_id, plan_id) references plans (store_id, id)
  )`,
  // One open payment per customer and title: two browser windows cannot pay for the same title
  // twice.
  sql`create unique index transactions_one_open on transactions (store_id, user_id, title_id)
    where kind = 'title' and status in ('pending', 'authorized', 'capturing')`,
  sql`create index transactions_open on transactions (status, updated_at)
    where status in ('pending', 'authorized', 'capturing')`,
  sql`create index transactions_by_user on transactions (store_id, user_id, created_at)`,
  sql`create table purchases (
    store_id text not null,
    id text not null,
    user_id text not null,
    title_id text,
    kind text not null check (kind in ('payment', 'free', 'code', 'credits', 'gift', 'subscription')),
    transaction_id text,
    amount_minor bigint not null default 0 check (amount_minor >= 0),
    currency text,
    purchased_at timestamptz not null default now(),
    primary key (store_id, id),
    foreign key (store_id, user_id) references users (store_id, id),
    foreign key (store_id, title_id) references titles (store_id, id),
    foreign key (store_id, transaction_id) references transactions (store_id, id)
  )`,
  // A payment is booked once for each title that it pays for.
  sql`create unique index purchases_once on purchases (store_id, transaction_id, (coalesce(title_id, '')))
    where transaction_id is not null`,
  sql`create index purchases_by_user on purchases (store_id, user_id, purchased_at)`,
  // The right to read a title. Each source grants it at most once.
  sql`create table entitlements (
    store_id text not null,
    user_id text not null,
    title_id text not null,
    source text not null check (source in ('purchase', 'code', 'gift', 'subscription', 'campaign')),
    instance_id text not null,
    purchase_id text,
    granted_at timestamptz not null default now(),
    expires_at timestamptz,
    primary key (store_id, user_id, title_id, source),
    unique (store_id, instance_id),
    foreign key (store_id, user_id) references users (store_id, id),
    foreign key (store_id, title_id) references titles (store_id, id),
    foreign key (store_id, purchase_id) references purchases (store_id, id)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
