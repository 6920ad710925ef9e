import { type Kysely, sql } from 'kysely';

/**
 * Fields that a store asks its customers for beside name, address and password; the answers are in
 * `users.fields`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table custom_fields (
    store_id text not null references stores (id) on delete cascade,
    id text not null,
    kind text not null check (kind in ('text', 'number', 'date', 'choice', 'checkbox')),
    label text not null,
    translations jsonb not null default '{}',
    is_required boolean not null default false,
    choices jsonb not null default '[]',
    position integer not null default 0,
    primary key (store_id, id)
  )`.execute(db);
}
