import { type SelectQueryBuilder, sql } from 'kysely';
import type { Store } from '../stores.ts';
import type { Database } from '../database/open.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Services } from '../services.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { after, cursorValue, cutPage, inOrder } from './keyset.ts';
import { isAsTyped, readSearch, relevance, type Search, understood, widened } from './search.ts';
import { type SortOrder, type TitleColumn, titleSortOrder } from './sort-orders.ts';
import { filtered, isPlain, type TitleFilter } from './title-filter.ts';
import { summaryColumns, type TitleRow } from './title-rows.ts';

/**
 * `total` is null where counting every row would keep the shopper waiting; `meant` is the search as it was understood, where
 * nothing was found as it was typed.
 */
export type TitleRowsPage = { rows: TitleRow[]; total: number | null; next: string | undefined; meant?: string | undefined };

/** As far as a search or a range of prices is counted; lists by type and category are counted whole, and the count kept. */
const COUNTED = 500;

/** Ends the name of an order in the cursors of a search that words near the typed ones belong to. */
const NEAR = '~';

type Reading = Pick<Services, 'db' | 'cache' | 'vocabularies'>;
type PageQuery = { sort: string | undefined; cursor: string | undefined; limit: number };

/**
 * A page of listed titles, from the cursor on. The count of all is taken once, on the first page, and travels in the
 * cursor. A search that no name fits is widened to words that are spelt nearly so.
 */
export async function listTitles(
  services: Reading,
  store: Store,
  filter: TitleFilter,
  page: PageQuery,
  counting = true,
): Promise<TitleRowsPage> {
  const search = readSearch(filter.search);
  if (search === null) return { rows: [], total: 0, next: undefined };
  const { name, order } = orderOf(filter, page.sort, search);
  const cursor = readCursor(page.cursor, [name, name + NEAR], order);
  const widen = async () =>
    search?.kind === 'words' ? widened(search, await services.vocabularies.of(services.db, store)) : undefined;
  const go = (sort: string, understoodAs: Search | undefined, rows?: SortedRow[]) =>
    readPage(services, store, { filter, search: understoodAs, order, sort, cursor, limit: page.limit, counting }, rows);

  if (cursor) return go(cursor.sort, cursor.sort === name ? search : ((await widen()) ?? search));
  const typed = await readRows(services.db, store, { filter, search, order, cursor, limit: page.limit });
  if (!search || fits(typed, order, { named: true })) return go(name, search, typed);
  const wide = await widen();
  if (!wide) return go(name, search, typed);
  const found = await go(name + NEAR, wide);
  const [first] = found.rows;
  const asTyped = fits(typed, order, { named: false });
  return { ...found, meant: asTyped || !first ? undefined : understood(wide, first) };
}

const orderOf = ({ series }: TitleFilter, sort: string | undefined, search: Search | undefined) =>
  titleSortOrder(sort, { search: search !== undefined, series: series !== undefined });

/** How a list understands its search: as its first page does. Null where it finds nothing, undefined where nothing is searched for. */
export async function understoodSearch(
  services: Reading,
  store: Store,
  filter: TitleFilter,
  sort: string | undefined,
): Promise<Search | null | undefined> {
  const search = readSearch(filter.search);
  if (search?.kind !== 'words') return search;
  const { order } = orderOf(filter, sort, search);
  const typed = await readRows(services.db, store, { filter, search, order, cursor: undefined, limit: 0 });
  if (fits(typed, order, { named: true })) return search;
  return widened(search, await services.vocabularies.of(services.db, store)) ?? search;
}

type SortedRow = TitleRow & { cursor_value: string | number };
type RowsQuery = {
  filter: TitleFilter;
  search: Search | undefined;
  order: SortOrder<TitleColumn>;
  cursor: Cursor | undefined;
  limit: number;
};

/** Whether some title was found as it was typed: where they are sorted by it, `named` asks for one in whose names it was. */
const fits = ([first]: SortedRow[], { column }: SortOrder<TitleColumn>, what: { named: boolean }): boolean =>
  first !== undefined && (column !== 'relevance' || isAsTyped(Number(first.cursor_value), what));

/** The rows of a page, and one more where there is a next one. */
async function readRows(db: Database, store: Store, { filter, search, order, cursor, limit }: RowsQuery): Promise<SortedRow[]> {
  const sorted: SortOrder<string> = { ...order, column: 'found.sort_value' };
  const value = order.column === 'relevance' && search ? relevance(search) : sql.ref(`titles.${order.column}`);
  const rows = await db
    .selectFrom(
      filtered(db, store, filter, search)
        .select(summaryColumns)
        .select(sql<string | number>`${value}`.as('sort_value'))
        .as('found'),
    )
    .selectAll()
    .select(cursorValue(sorted).as('cursor_value'))
    .$if(cursor !== undefined, (builder) => (cursor ? builder.where(after(sorted, 'found.id', cursor)) : builder))
    .orderBy(inOrder(sorted, 'found.id'))
    .limit(limit + 1)
    .execute();
  return rows.map((row) => ({ ...row, prices: row.prices ?? [] }));
}

async function readPage(
  services: Reading,
  store: Store,
  query: RowsQuery & { sort: string; counting: boolean },
  known?: SortedRow[],
): Promise<TitleRowsPage> {
  const { filter, search, cursor, sort, limit, counting } = query;
  const rows = known ?? (await readRows(services.db, store, query));
  const whole = !cursor && rows.length <= limit;
  const counted = async () => (counting ? totalOf(services, store, filter, filtered(services.db, store, filter, search)) : null);
  const total = cursor ? cursor.total : whole ? rows.length : await counted();
  const cut = cutPage(rows, limit, sort, total);
  return { rows: cut.rows, total, next: cut.next };
}

type TitleQuery = SelectQueryBuilder<Tables, 'titles', object>;

function totalOf(
  { db, cache }: Pick<Services, 'db' | 'cache'>,
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
