import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { FullTitle } from './find-title.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

const MAX_CANDIDATES = 200;

/**
 * Other listed titles that share a category, the most similar first: a common author counts for
 * more than a category, and a category for more than the type alone. Popularity breaks ties.
 */
async function findSimilarTitles(db: Database, storeId: string, title: TitleRow, limit: number): Promise<TitleRow[]> {
  const rows = await db
    .with('shared', (cte) =>
      cte
        .selectFrom('title_categories as own')
        .innerJoin('title_categories as other', (join) =>
          join.onRef('other.store_id', '=', 'own.store_id').onRef('other.category_id', '=', 'own.category_id'),
        )
        .select(['other.title_id', sql<number>`count(*)::int`.as('categories')])
        .where('own.store_id', '=', storeId)
        .where('own.title_id', '=', title.id)
        .where('other.title_id', '<>', title.id)
        .groupBy('other.title_id')
        .orderBy('categories', 'desc')
        .orderBy('other.title_id')
        .limit(MAX_CANDIDATES),
    )
    .selectFrom('titles')
    .innerJoin('shared', 'shared.title_id', 'titles.id')
    .select((eb) => summaryColumns(eb as never))
    .where('titles.store_id', '=', storeId)
    .where('titles.offered', '=', true)
    .orderBy(
      sql`shared.categories * 2
        + case when titles.authors ?| array(select jsonb_array_elements_text(${JSON.stringify(title.authors)}::jsonb))
          then 3 else 0 end
        + case when titles.type = ${title.type} then 1 else 0 end`,
      'desc',
    )
    .orderBy('titles.popularity', 'desc')
    .orderBy('titles.id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }));
}

/** Listed titles of the given ids, in the order of the ids. */
async function readListedTitles(db: Database, storeId: string, ids: string[]): Promise<TitleRow[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('titles')
    .select(summaryColumns)
    .where('titles.store_id', '=', storeId)
    .where('titles.offered', '=', true)
    .where('titles.id', 'in', ids)
    .execute();
  return ids.flatMap((id) => rows.filter((row) => row.id === id).map((row) => ({ ...row, prices: row.prices ?? [] })));
}

/** The related titles that the publisher has chosen, then similar ones, up to the limit. */
export async function findRelatedTitles(db: Database, storeId: string, title: FullTitle, limit: number): Promise<TitleRow[]> {
  const chosenTitles = await readListedTitles(
    db,
    storeId,
    (title.content.related ?? []).filter((id) => id !== title.id).slice(0, limit),
  );
  if (chosenTitles.length >= limit) return chosenTitles;
  const chosenIds = new Set(chosenTitles.map((row) => row.id));
  const similarTitles = await findSimilarTitles(db, storeId, title, limit + chosenIds.size);
  return [...chosenTitles, ...similarTitles.filter((row) => !chosenIds.has(row.id))].slice(0, limit);
}
