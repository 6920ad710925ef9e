import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  // The position is the reader's own JSON, stored unchanged.
  await sql`create table progress (
    store_id text not null,
    user_id text not null,
    title_id text not null,
    context_key text not null,
    position jsonb not null,
    saved_at timestamptz not null default now(),
    primary key (store_id, user_id, title_id, context_key),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`.execute(db);
}
