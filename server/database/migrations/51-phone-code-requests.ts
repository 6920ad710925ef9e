import { type Kysely, sql } from 'kysely';

/**
 * A code belongs to the browser that requested it: one number may have several open codes, one per
 * request. Earlier codes were valid for ten minutes and can be requested again.
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
