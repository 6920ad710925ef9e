import { type SelectQueryBuilder, sql } from 'kysely';
import type { Store } from '../stores.ts';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import { readCursor } from './cursor.ts';
import type { Cache } from './cache.ts';
import { after, cursorValue, cutPage, inOrder } from './keyset.ts';
import { titleSortOrder } from './sort-orders.ts';
import { filtered, isPlain, type TitleFilter } from './title-filter.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/** `total` is null where counting every row would keep the shopper waiting. */
export type TitleRowsPage = { rows: TitleRow[]; total: number | null; next: string | undefined };

/** As far as a search or a range of prices is counted; lists by type and category are counted whole, and the count kept. */
const COUNTED = 500;

/**
 * A page of listed titles, from the cursor on. The count of all is taken once, on the first page, and travels in the
 * cursor.
 */
export async function listTitles(
  { db, cache }: { db: Database; cache: Cache },
  store: Store,
  filter: TitleFilter,
  page: { sort: string | undefined; cursor: string | undefined; limit: number },
  counting = true,
): Promise<TitleRowsPage> {
  const { name: sort, order } = titleSortOrder(page.sort);
  const cursor = readCursor(page.cursor, sort, order);
  const base = filtered(db, store, filter);
  if (!base) return { rows: [], total: 0, next: undefined };
  const column = { ...order, column: `titles.${order.column}` };
  const rows = await base
    .select(summaryColumns)
    .select(cursorValue(column).as('cursor_value'))
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(after(column, 'titles.id', cursor)) : builder))
    .orderBy(inOrder(column, 'titles.id'))
    .limit(page.limit + 1)
    .execute();
  const whole = !cursor && rows.length <= page.limit;
  const counted = async () => (counting ? totalOf({ db, cache }, store, filter, base) : null);
  const total = cursor ? cursor.total : whole ? rows.length : await counted();
  const cut = cutPage(
    rows.map((row) => ({ ...row, prices: row.prices ?? [] })),
    page.limit,
    sort,
    total,
  );
  return { rows: cut.rows, total, next: cut.next };
}

type TitleQuery = SelectQueryBuilder<Tables, 'titles', object>;

function totalOf(
  { db, cache }: { db: Database; cache: Cache },
  store: Store,
  filter: TitleFilter,
  base: TitleQuery,
): Promise<number | null> {
  const { type, categories } = filter;
  if (isPlain(filter)) return cache.of(store, `titles ${type} ${JSON.stringify(categories ?? [])}`, () => countOf(base));
  return countUpTo(db, base);
}

async function countOf(base: TitleQuery): Promise<number> {
  const row = await base.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}

async function countUpTo(db: Database, base: TitleQuery): Promise<number | null> {
  const some = base.select(sql`1`.as('one')).limit(COUNTED + 1);
  const row = await db
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count) > COUNTED ? null : Number(row.count);
}
