import { sql } from 'kysely';
import type { Store } from '../stores/stores.ts';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import { readBestMatches } from './best-matches.ts';
import { type Cursor, readCursor } from './cursor.ts';
import { cutPage } from './keyset.ts';
import { isAsTyped, readSearch, type Search, understood, widened } from './search.ts';
import { type SortOrder, type TitleColumn, titleSortOrder } from '../stores/sort-orders.ts';
import { filtered, isPlain, type TitleFilter } from './title-filter.ts';
import { countUpTo, readSorted, type SortedRow, type TitleQuery } from './sorted-titles.ts';
import type { TitleRow } from './title-rows.ts';

/**
 * `total` is null where counting every row would keep the shopper waiting; `meant` is the search as it was understood, where
 * nothing was found as it was typed.
 */
export type TitleRowsPage = {
  rows: TitleRow[];
  total: number | null;
  next: string | undefined;
  /** The cursor behind the titles that a first screen draws, where there are more. */
  behindFirst?: string | undefined;
  meant?: string | undefined;
};

/** Ends the name of an order in the cursors of a search that words near the typed ones belong to. */
const NEAR = '~';

type Reading = CatalogueServices;
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
  const go = (sort: string, understoodAs: Search | undefined, known?: Found) =>
    readPage(services, store, { filter, search: understoodAs, order, sort, cursor, limit: page.limit, counting }, known);

  if (cursor) return go(cursor.sort, cursor.sort === name ? search : ((await widen()) ?? search));
  const typed = await readRows(services.db, store, { filter, search, order, cursor, limit: page.limit });
  if (!search || fits(typed.rows, order, { named: true })) return go(name, search, typed);
  const wide = await widen();
  if (!wide) return go(name, search, typed);
  const found = await go(name + NEAR, wide);
  const [first] = found.rows;
  const asTyped = fits(typed.rows, order, { named: false });
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
  if (fits(typed.rows, order, { named: true })) return search;
  return widened(search, await services.vocabularies.of(services.db, store)) ?? search;
}

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

/** `total` where it was counted on the way. */
type Found = { rows: SortedRow[]; total?: number | null };

/** The rows of a page, and one more where there is a next one. */
async function readRows(db: Database, store: Store, { filter, search, order, cursor, limit }: RowsQuery): Promise<Found> {
  const found = filtered(db, store, filter, search);
  const most = limit + 1;
  if (order.column === 'relevance' && search)
    return readBestMatches(db, { listed: filtered(db, store, filter, undefined), found }, search, { cursor, most });
  return { rows: await readSorted(db, found, { order, value: sql.ref(`titles.${order.column}`), cursor, most }) };
}

async function readPage(
  services: Reading,
  store: Store,
  query: RowsQuery & { sort: string; counting: boolean },
  known?: Found,
): Promise<TitleRowsPage> {
  const { filter, search, cursor, sort, limit, counting } = query;
  const found = known ?? (await readRows(services.db, store, query));
  const isWhole = !cursor && found.rows.length <= limit;
  const counted = async () => (counting ? totalOf(services, store, filter, filtered(services.db, store, filter, search)) : null);
  const total = cursor ? cursor.total : isWhole ? found.rows.length : found.total === undefined ? await counted() : found.total;
  const cut = cutPage(found.rows, limit, sort, total);
  return { ...cut, total };
}

function totalOf(
  { db, cache }: Pick<CatalogueServices, 'db' | 'cache'>,
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
