import { type Kysely, sql } from 'kysely';

/**
 * A code belongs to the browser that asked for it: one number has several open codes, each for a
 * request. The codes of before worked for ten minutes and are asked for again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop table phone_codes`.execute(db);
  await sql`create table phone_codes (
    request_hash text primary key,
    store_id text not null references stores on delete cascade,
    phone text not null,
    code_hash text not null,
    tries integer not null default 0,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index phone_codes_by_expiry on phone_codes (expires_at)`.execute(db);
}
