import { type Kysely, sql } from 'kysely';

const statements = [
  // Identity providers of a store; the secret authenticates the store to the provider.
  sql`create table providers (
    store_id text not null references stores on delete cascade,
    id text not null,
    kind text not null,
    name text not null,
    settings jsonb not null default '{}',
    secret text,
    position integer not null,
    primary key (store_id, id)
  )`,
  // A provider guarantees that it never reassigns a subject to another person.
  sql`create table identities (
    store_id text not null,
    issuer text not null,
    subject text not null,
    user_id text not null,
    created_at timestamptz not null default now(),
    primary key (store_id, issuer, subject),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  sql`create index identities_by_user on identities (store_id, user_id)`,
  // Sign-ins in progress; each row is deleted when its sign-in is finished. Of the state only the
  // hash is stored.
  sql`create table provider_sign_ins (
    state_hash text primary key,
    store_id text not null,
    provider_id text not null,
    verifier text not null,
    nonce text not null,
    return_url text not null,
    expires_at timestamptz not null,
    foreign key (store_id, provider_id) references providers (store_id, id) on delete cascade
  )`,
  sql`create index provider_sign_ins_by_expiry on provider_sign_ins (expires_at)`,
  sql`alter table users add column email_verified_at timestamptz`,
  // A provider may not know the customer's address.
  sql`drop index users_by_email`,
  sql`create unique index users_by_email on users (store_id, email_key) where deleted_at is null and email_key <> ''`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
