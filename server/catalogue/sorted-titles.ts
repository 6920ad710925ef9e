import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Cursor } from './cursor.ts';
import { isAfterCursor, selectCursorValue, toOrderBy } from './keyset.ts';
import type { SortOrder } from '../stores/sort-orders.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/** A query for some of a store's titles. */
export type TitleQuery = SelectQueryBuilder<Tables, 'titles', object>;

export type SortedRow = TitleRow & { cursor_value: string | number };

/**
 * Limit for counting the results of a search or price range; lists by type and category are counted
 * completely, and the count is cached.
 */
const MAX_COUNTED = 500;

/** The number of titles, null where there are too many to count within a request. */
export async function countUpTo(db: Database, titles: TitleQuery): Promise<number | null> {
  const countedTitles = titles.select(sql`1`.as('one')).limit(MAX_COUNTED + 1);
  const row = await db
    .selectFrom(countedTitles.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count) > MAX_COUNTED ? null : Number(row.count);
}

type SortedQuery = {
  order: SortOrder<string>;
  /** The sort expression of a title. */
  value: RawBuilder<unknown>;
  cursor: Cursor | undefined;
  limit: number;
};

/** The first titles after the cursor in a sort order. */
export async function readSorted(
  db: Database,
  titles: TitleQuery,
  { order, value, cursor, limit }: SortedQuery,
): Promise<SortedRow[]> {
  const sortValueOrder: SortOrder<string> = { ...order, column: 'found.sort_value' };
  const rows = await db
    .selectFrom(
      titles
        .select(summaryColumns)
        .select(sql<string | number>`${value}`.as('sort_value'))
        .as('found'),
    )
    .selectAll()
    .select(selectCursorValue(sortValueOrder).as('cursor_value'))
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(isAfterCursor(sortValueOrder, 'found.id', cursor)) : builder))
    .orderBy(toOrderBy(sortValueOrder, 'found.id'))
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }));
}
