import { type Kysely, sql } from 'kysely';

/**
 * A store's texts in other languages: `{"fr": {"name": "Romans"}}`. The columns themselves have the
 * main language.
 */
const translatedTables = ['properties', 'categories', 'titles', 'pages', 'campaigns'];

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table stores add column language text not null default 'en'`.execute(db);
  for (const table of translatedTables)
    await sql`alter table ${sql.table(table)} add column translations jsonb not null default '{}'`.execute(db);
}
