import { sql } from 'kysely'
import type { Database } from '../database/open.ts'
import { summaryColumns, type TitleRow } from './title-rows.ts'

const MANY = 200

/**
 * Other listed titles that share a category with one, nearest first: a common author counts for more than a category,
 * and a category for more than the type alone. Popular ones break ties.
 */
export async function relatedTitles(db: Database, storeId: string, title: TitleRow, limit: number): Promise<TitleRow[]> {
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
        .limit(MANY),
    )
    .selectFrom('titles')
    .innerJoin('shared', 'shared.title_id', 'titles.id')
    .select((eb) => summaryColumns(eb as never))
    .where('titles.store_id', '=', storeId)
    .where('titles.listed', '=', true)
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
    .execute()
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }))
}
