import { type Kysely, sql } from 'kysely';

/** The best matches of a search are those by name: they are found without looking at every title that has the words somewhere. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index titles_by_words_of_names on titles using gin (search_names) with (fastupdate = off)`.execute(db);
}
