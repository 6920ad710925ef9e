import { type Kysely, sql } from 'kysely';

/** Codes sent by text message; a number has one at a time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table phone_codes (
    store_id text not null references stores on delete cascade,
    phone text not null,
    code_hash text not null,
    tries integer not null default 0,
    expires_at timestamptz not null,
    primary key (store_id, phone)
  )`.execute(db);
  await sql`create index phone_codes_by_expiry on phone_codes (expires_at)`.execute(db);
}
