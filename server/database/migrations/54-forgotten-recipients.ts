import { type Kysely, sql } from 'kysely';

/**
 * Addresses of deleted accounts, as keys that do not reveal them, until every process has cleaned
 * its outbox.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table forgotten_recipients (
    store_id text not null references stores (id) on delete cascade,
    recipient_key text not null,
    forgotten_at timestamptz not null,
    primary key (store_id, recipient_key)
  )`.execute(db);
}
