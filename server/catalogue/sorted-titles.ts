import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Cursor } from './cursor.ts';
import { isAfterCursor, cursorValue, toOrderBy } from './keyset.ts';
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
  const some = titles.select(sql`1`.as('one')).limit(MAX_COUNTED + 1);
  const row = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count) > MAX_COUNTED ? null : Number(row.count);
}

type SortedQuery = {
  order: SortOrder<string>;
  /** The sort expression of a title. */
  value: RawBuilder<unknown>;
  cursor: Cursor | undefined;
  most: number;
};

/** The first titles after the cursor in a sort order. */
export async function readSorted(
  db: Database,
  titles: TitleQuery,
  { order, value, cursor, most }: SortedQuery,
): Promise<SortedRow[]> {
  const sorted: SortOrder<string> = { ...order, column: 'found.sort_value' };
  const rows = await db
    .selectFrom(
      titles
        .select(summaryColumns)
        .select(sql<string | number>`${value}`.as('sort_value'))
        .as('found'),
    )
    .selectAll()
    .select(cursorValue(sorted).as('cursor_value'))
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(isAfterCursor(sorted, 'found.id', cursor)) : builder))
    .orderBy(toOrderBy(sorted, 'found.id'))
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }));
}
