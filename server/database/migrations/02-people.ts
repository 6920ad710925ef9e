import { type Kysely, sql } from 'kysely';

const statements = [
  sql`create table users (
    store_id text not null references stores on delete cascade,
    id text not null,
    email text not null,
    email_key text not null,
    password_hash text,
    name text not null default '',
    fields jsonb not null default '{}',
    created_at timestamptz not null default now(),
    deleted_at timestamptz,
    primary key (store_id, id)
  )`,
  // A deleted account frees its address.
  sql`create unique index users_by_email on users (store_id, email_key) where deleted_at is null`,
  sql`create table devices (
    store_id text not null,
    user_id text not null,
    id text not null,
    name text not null,
    registered_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    removed_at timestamptz,
    primary key (store_id, user_id, id),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  // Only the hash of a token is stored: read access to the table does not allow signing in.
  sql`create table tokens (
    hash text primary key,
    store_id text not null,
    user_id text not null,
    kind text not null check (kind in ('access', 'reset')),
    device_id text,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    revoked_at timestamptz,
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  sql`create index tokens_by_user on tokens (store_id, user_id)`,
  sql`create index tokens_by_expiry on tokens (expires_at)`,
  // Failed sign-ins, counted per e-mail address and per network address.
  sql`create table sign_in_attempts (
    store_id text not null references stores on delete cascade,
    subject text not null,
    failures integer not null,
    window_ends_at timestamptz not null,
    primary key (store_id, subject)
  )`,
  sql`create table idempotency_keys (
    store_id text not null references stores on delete cascade,
    key text not null,
    fingerprint text not null,
    status integer not null,
    content_type text not null,
    body text not null,
    created_at timestamptz not null default now(),
    primary key (store_id, key)
  )`,
  sql`create index idempotency_keys_by_age on idempotency_keys (created_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
