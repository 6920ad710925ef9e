import { type Kysely, sql } from 'kysely';

/**
 * The code that all browsers share when they request one for a number that is over its limits. Each
 * request still has its own row in phone_codes, with the same hash.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table shared_phone_codes (
    store_id text not null references stores on delete cascade,
    phone text not null,
    code_hash text not null,
    sent_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (store_id, phone)
  )`.execute(db);
  await sql`create index shared_phone_codes_by_expiry on shared_phone_codes (expires_at)`.execute(db);
}
