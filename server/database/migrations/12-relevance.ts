import { type Kysely, sql } from 'kysely';
import { toSortAuthor, toSortName } from '../../base/folding.ts';
import { type SearchableTitle, toTitleWords } from '../../base/title-words.ts';

type Row = Omit<SearchableTitle, 'descriptions'> & { store_id: string; id: string; description: string };

const BATCH_SIZE = 500;

/**
 * Titles are also found by their descriptions, and words of names and people are indexed
 * separately.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table titles add column search_names tsvector not null default ''`.execute(db);
  await sql`alter table titles add column purchases_counted integer not null default 0`.execute(db);
  for (let lastKey: [string, string] = ['', '']; ;) {
    const { rows } = await sql<Row>`
      select store_id, id, name, subtitle, authors, narrators, isbn, description from titles
      where (store_id, id) > (${lastKey[0]}, ${lastKey[1]}) order by store_id, id limit ${BATCH_SIZE}`.execute(db);
    const lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    const words = rows.map((row) => ({
      store_id: row.store_id,
      id: row.id,
      // More characters are folded than before this migration.
      sort_name: toSortName(row.name),
      sort_author: toSortAuthor(row.authors),
      ...toTitleWords({ ...row, descriptions: [row.description] }),
    }));
    await sql`
      update titles set search_words = words.search_words, search_names = words.search_names::tsvector,
        sort_name = words.sort_name, sort_author = words.sort_author
      from jsonb_to_recordset(${JSON.stringify(words)}::jsonb)
        as words(store_id text, id text, sort_name text, sort_author text, search_words text, search_names text)
      where titles.store_id = words.store_id and titles.id = words.id`.execute(db);
    lastKey = [lastRow.store_id, lastRow.id];
  }
}
