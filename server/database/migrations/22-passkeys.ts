import { type Kysely, sql } from 'kysely';

const statements = [
  // Public keys of passkeys; the private key never leaves the customer's device.
  sql`create table passkeys (
    store_id text not null,
    id text not null,
    user_id text not null,
    credential_id text not null,
    public_key text not null,
    counter bigint not null,
    transports jsonb not null default '[]',
    name text not null,
    created_at timestamptz not null default now(),
    last_used_at timestamptz,
    primary key (store_id, id),
    unique (store_id, credential_id),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade
  )`,
  sql`create index passkeys_by_user on passkeys (store_id, user_id)`,
  // Challenges for devices to sign; each is deleted when it has been used. Only its hash is stored.
  sql`create table passkey_challenges (
    challenge_hash text primary key,
    store_id text not null references stores (id) on delete cascade,
    user_id text,
    expires_at timestamptz not null
  )`,
  sql`create index passkey_challenges_by_expiry on passkey_challenges (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
