import { type Kysely, sql } from 'kysely';

const statements = [
  // Secrets that all processes on this database sign with.
  sql`create table secrets (
    name text primary key,
    value text not null,
    created_at timestamptz not null default now()
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
