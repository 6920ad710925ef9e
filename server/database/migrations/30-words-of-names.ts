import { type Kysely, sql } from 'kysely';

/**
 * The best matches of a search are those by name: this index finds them without reading every title
 * that has the words anywhere.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index titles_by_words_of_names on titles using gin (search_names) with (fastupdate = off)`.execute(db);
}
