import { type Kysely, sql } from 'kysely';

/** Codes that the operator has withdrawn. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table codes add column withdrawn_at timestamptz`.execute(db);
}
