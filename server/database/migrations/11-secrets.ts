import { type Kysely, sql } from 'kysely';

const statements = [
  // What every process on this database signs with.
  sql`create table secrets (
    name text primary key,
    value text not null,
    created_at timestamptz not null default now()
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
