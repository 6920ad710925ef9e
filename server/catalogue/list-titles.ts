import { sql } from 'kysely';
import type { Store } from '../stores/stores.ts';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import { readBestMatches } from './best-matches.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { cutPage } from './keyset.ts';
import { isAsTyped, parseSearch, type Search, describeUnderstood, widenSearch } from './search.ts';
import { type SortOrder, type TitleColumn, titleSortOrder } from '../stores/sort-orders.ts';
import { filterTitles, isByTypeAndCategory, type TitleFilter } from './title-filter.ts';
import { countUpTo, readSorted, type SortedRow, type TitleQuery } from './sorted-titles.ts';
import type { TitleRow } from './title-rows.ts';

/**
 * `total` is null where counting all rows would make visitors wait; `meant` is the corrected
 * search, where the typed one found nothing.
 */
export type TitleRowsPage = {
  rows: TitleRow[];
  total: number | null;
  next: string | undefined;
  /** The cursor after the titles that a first screen shows, where there are more. */
  behindFirst?: string | undefined;
  meant?: string | undefined;
};

/** Suffix of the sort name in cursors of a search with corrected spelling. */
const NEAR_WORDS_MARK = '~';

type Reading = CatalogueServices;
type PageQuery = { sort: string | undefined; cursor: string | undefined; limit: number };

/**
 * A page of listed titles from the cursor on. All titles are counted once, for the first page, and
 * the cursor carries the count. A search that matches no name is widened to similarly spelt words.
 */
export async function listTitles(
  services: Reading,
  store: Store,
  filter: TitleFilter,
  page: PageQuery,
  counting = true,
): Promise<TitleRowsPage> {
  const search = parseSearch(filter.search);
  if (search === null) return { rows: [], total: 0, next: undefined };
  const { name, order } = chooseOrder(filter, page.sort, search);
  const cursor = decodeCursor(page.cursor, [name, name + NEAR_WORDS_MARK], order);
  const widen = async () =>
    search?.kind === 'words' ? widenSearch(search, await services.vocabularies.getOrRead(services.db, store)) : undefined;
  const go = (sort: string, understoodAs: Search | undefined, known?: TitleRows) =>
    readPage(services, store, { filter, search: understoodAs, order, sort, cursor, limit: page.limit, counting }, known);

  if (cursor) return go(cursor.sort, cursor.sort === name ? search : ((await widen()) ?? search));
  const typed = await readRows(services.db, store, { filter, search, order, cursor, limit: page.limit });
  if (!search || hasTypedMatch(typed.rows, order, { named: true })) return go(name, search, typed);
  const wide = await widen();
  if (!wide) return go(name, search, typed);
  const found = await go(name + NEAR_WORDS_MARK, wide);
  const [first] = found.rows;
  const asTyped = hasTypedMatch(typed.rows, order, { named: false });
  return { ...found, meant: asTyped || !first ? undefined : describeUnderstood(wide, first) };
}

const chooseOrder = ({ series }: TitleFilter, sort: string | undefined, search: Search | undefined) =>
  titleSortOrder(sort, { search: search !== undefined, series: series !== undefined });

/**
 * Resolves the search of a list as its first page does. Null where it finds nothing, undefined
 * where there is no search.
 */
export async function resolveSearch(
  services: Reading,
  store: Store,
  filter: TitleFilter,
  sort: string | undefined,
): Promise<Search | null | undefined> {
  const search = parseSearch(filter.search);
  if (search?.kind !== 'words') return search;
  const { order } = chooseOrder(filter, sort, search);
  const typed = await readRows(services.db, store, { filter, search, order, cursor: undefined, limit: 0 });
  if (hasTypedMatch(typed.rows, order, { named: true })) return search;
  return widenSearch(search, await services.vocabularies.getOrRead(services.db, store)) ?? search;
}

type RowsQuery = {
  filter: TitleFilter;
  search: Search | undefined;
  order: SortOrder<TitleColumn>;
  cursor: Cursor | undefined;
  limit: number;
};

/**
 * Whether a title was found without spelling correction; in the order by relevance, `named`
 * requires a match in a name.
 */
const hasTypedMatch = ([first]: SortedRow[], { column }: SortOrder<TitleColumn>, what: { named: boolean }): boolean =>
  first !== undefined && (column !== 'relevance' || isAsTyped(Number(first.cursor_value), what));

/** `total` where the query has counted as well. */
type TitleRows = { rows: SortedRow[]; total?: number | null };

/** The rows of a page, plus one where there is a next page. */
async function readRows(db: Database, store: Store, { filter, search, order, cursor, limit }: RowsQuery): Promise<TitleRows> {
  const found = filterTitles(db, store, filter, search);
  const most = limit + 1;
  if (order.column === 'relevance' && search)
    return readBestMatches(db, { listed: filterTitles(db, store, filter, undefined), found }, search, { cursor, most });
  return { rows: await readSorted(db, found, { order, value: sql.ref(`titles.${order.column}`), cursor, most }) };
}

async function readPage(
  services: Reading,
  store: Store,
  query: RowsQuery & { sort: string; counting: boolean },
  known?: TitleRows,
): Promise<TitleRowsPage> {
  const { filter, search, cursor, sort, limit, counting } = query;
  const found = known ?? (await readRows(services.db, store, query));
  const isWhole = !cursor && found.rows.length <= limit;
  const counted = async () =>
    counting ? readTotal(services, store, filter, filterTitles(services.db, store, filter, search)) : null;
  const total = cursor ? cursor.total : isWhole ? found.rows.length : found.total === undefined ? await counted() : found.total;
  const cut = cutPage(found.rows, limit, sort, total);
  return { ...cut, total };
}

function readTotal(
  { db, cache }: Pick<CatalogueServices, 'db' | 'cache'>,
  store: Store,
  filter: TitleFilter,
  base: TitleQuery,
): Promise<number | null> {
  const { type, categories } = filter;
  if (isByTypeAndCategory(filter))
    return cache.getOrCompute(store, `titles ${type} ${JSON.stringify(categories ?? [])}`, () => countTitles(base));
  return countUpTo(db, base);
}

async function countTitles(base: TitleQuery): Promise<number> {
  const row = await base.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}
