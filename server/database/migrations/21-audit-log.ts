import { type Kysely, sql } from 'kysely';

/** Actions on accounts, to investigate takeovers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table audit_log (
    id bigint generated always as identity primary key,
    store_id text not null references stores (id) on delete cascade,
    user_id text,
    kind text not null,
    network text not null,
    at timestamptz not null default now()
  )`.execute(db);
  await sql`create index audit_log_by_user on audit_log (store_id, user_id, at)`.execute(db);
  await sql`create index audit_log_by_age on audit_log (at)`.execute(db);
}
