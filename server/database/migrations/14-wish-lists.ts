import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table wishes (
    store_id text not null,
    user_id text not null,
    title_id text not null,
    saved_at timestamptz not null default now(),
    primary key (store_id, user_id, title_id),
    foreign key (store_id, user_id) references users (store_id, id) on delete cascade,
    foreign key (store_id, title_id) references titles (store_id, id) on delete cascade
  )`.execute(db);
}
