import { type Kysely, sql } from 'kysely';

/** Queued e-mails; each row is deleted when its e-mail has been sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table letters (
    id text primary key,
    store_id text not null references stores (id) on delete cascade,
    kind text not null,
    email text not null,
    language text not null,
    origin text not null,
    created_at timestamptz not null default now(),
    attempts integer not null default 0,
    due_at timestamptz not null default now()
  )`.execute(db);
  await sql`create index letters_by_due on letters (due_at)`.execute(db);
}
