import { type Kysely, sql } from 'kysely';

const statements = [
  // No attempt for the subject is checked before this moment.
  sql`alter table sign_in_attempts add column retry_at timestamptz not null default now()`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
