import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Cursor } from './cursor.ts';
import { after, cursorValue, inOrder } from './keyset.ts';
import type { SortOrder } from '../stores/sort-orders.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/** Some of a store's titles. */
export type TitleQuery = SelectQueryBuilder<Tables, 'titles', object>;

export type SortedRow = TitleRow & { cursor_value: string | number };

/** As far as a search or a range of prices is counted; lists by type and category are counted whole, and the count kept. */
const COUNTED = 500;

/** How many titles there are, null where there are too many to be counted while somebody waits. */
export async function countUpTo(db: Database, titles: TitleQuery): Promise<number | null> {
  const some = titles.select(sql`1`.as('one')).limit(COUNTED + 1);
  const row = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count) > COUNTED ? null : Number(row.count);
}

type Wanted = {
  order: SortOrder<string>;
  /** What is compared, of each title. */
  value: RawBuilder<unknown>;
  cursor: Cursor | undefined;
  most: number;
};

/** The first titles behind the cursor in an order. */
export async function readSorted(db: Database, titles: TitleQuery, { order, value, cursor, most }: Wanted): Promise<SortedRow[]> {
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
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(after(sorted, 'found.id', cursor)) : builder))
    .orderBy(inOrder(sorted, 'found.id'))
    .limit(most)
    .execute();
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }));
}
