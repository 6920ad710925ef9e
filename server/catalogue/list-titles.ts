import { sql } from 'kysely';
import type { Store } from '../stores/stores.ts';
import type { Database } from '../database/open.ts';
import type { CatalogueServices } from './services.ts';
import { readBestMatches } from './best-matches.ts';
import { type Cursor, decodeCursor } from './cursor.ts';
import { cutPage } from './keyset.ts';
import { isAsTyped, parseSearch, type Search, formatCorrectedSearch, widenSearch } from './search.ts';
import { type SortOrder, type TitleColumn, getTitleSortOrder } from '../stores/sort-orders.ts';
import { filterTitles, isByTypeAndCategory, type TitleFilter } from './title-filter.ts';
import { countUpTo, readSorted, type SortedRow, type TitleQuery } from './sorted-titles.ts';
import type { TitleRow } from './title-rows.ts';

/**
 * A page of rows. `total` is null where counting all rows would make visitors wait.
 */
export type TitleRowsPage = {
  rows: TitleRow[];
  total: number | null;
  next: string | undefined;
  /** The cursor after the titles that a first screen shows, where there are more. */
  behindFirst?: string | undefined;
  /** The corrected search, where the typed search found nothing. */
  correctedSearch?: string | undefined;
};

/** Suffix of the sort name in cursors of a search with corrected spelling. */
const NEAR_WORDS_MARK = '~';

type ListServices = CatalogueServices;
type PageQuery = { sort: string | undefined; cursor: string | undefined; limit: number };

/**
 * A page of listed titles from the cursor on. All titles are counted once, for the first page, and
 * the cursor carries the count. A search without a match (in the order by relevance: without a
 * match in a name) is widened to similarly spelt words.
 */
export async function listTitles(
  services: ListServices,
  store: Store,
  filter: TitleFilter,
  page: PageQuery,
  withTotal = true,
): Promise<TitleRowsPage> {
  const search = parseSearch(filter.search);
  if (search === null) return { rows: [], total: 0, next: undefined };
  const { name, order } = chooseSortOrder(filter, page.sort, search);
  const cursor = decodeCursor(page.cursor, [name, name + NEAR_WORDS_MARK], order);
  const widen = async () =>
    search?.kind === 'words' ? widenSearch(search, await services.vocabularies.getOrRead(services.db, store)) : undefined;
  const readListPage = (sort: string, effectiveSearch: Search | undefined, knownRows?: TitleRows) =>
    readPage(services, store, { filter, search: effectiveSearch, order, sort, cursor, limit: page.limit, withTotal }, knownRows);

  if (cursor) return readListPage(cursor.sort, cursor.sort === name ? search : ((await widen()) ?? search));
  const typedRows = await readRows(services.db, store, { filter, search, order, cursor, limit: page.limit });
  if (!search || hasTypedMatch(typedRows.rows, order, { named: true })) return readListPage(name, search, typedRows);
  const widenedSearch = await widen();
  if (!widenedSearch) return readListPage(name, search, typedRows);
  const widenedPage = await readListPage(name + NEAR_WORDS_MARK, widenedSearch);
  const [firstTitle] = widenedPage.rows;
  const hasMatchAsTyped = hasTypedMatch(typedRows.rows, order, { named: false });
  return {
    ...widenedPage,
    correctedSearch: hasMatchAsTyped || !firstTitle ? undefined : formatCorrectedSearch(widenedSearch, firstTitle),
  };
}

const chooseSortOrder = ({ series }: TitleFilter, sort: string | undefined, search: Search | undefined) =>
  getTitleSortOrder(sort, { search: search !== undefined, series: series !== undefined });

/**
 * Resolves the search of a list as its first page does. Null for a search without any word, which
 * finds nothing; undefined where there is no search.
 */
export async function resolveSearch(
  services: ListServices,
  store: Store,
  filter: TitleFilter,
  sort: string | undefined,
): Promise<Search | null | undefined> {
  const search = parseSearch(filter.search);
  if (search?.kind !== 'words') return search;
  const { order } = chooseSortOrder(filter, sort, search);
  const typedRows = await readRows(services.db, store, { filter, search, order, cursor: undefined, limit: 0 });
  if (hasTypedMatch(typedRows.rows, order, { named: true })) return search;
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
const hasTypedMatch = ([firstRow]: SortedRow[], { column }: SortOrder<TitleColumn>, options: { named: boolean }): boolean =>
  firstRow !== undefined && (column !== 'relevance' || isAsTyped(Number(firstRow.cursor_value), options));

/** `total` where the query has counted as well. */
type TitleRows = { rows: SortedRow[]; total?: number | null };

/** The rows of a page, plus one where there is a next page. */
async function readRows(db: Database, store: Store, { filter, search, order, cursor, limit }: RowsQuery): Promise<TitleRows> {
  const matchingTitles = filterTitles(db, store, filter, search);
  const rowLimit = limit + 1;
  if (order.column === 'relevance' && search)
    return readBestMatches(db, { listedTitles: filterTitles(db, store, filter, undefined), matchingTitles }, search, {
      cursor,
      limit: rowLimit,
    });
  return {
    rows: await readSorted(db, matchingTitles, { order, value: sql.ref(`titles.${order.column}`), cursor, limit: rowLimit }),
  };
}

async function readPage(
  services: ListServices,
  store: Store,
  query: RowsQuery & { sort: string; withTotal: boolean },
  knownRows?: TitleRows,
): Promise<TitleRowsPage> {
  const { filter, search, cursor, sort, limit, withTotal } = query;
  const titleRows = knownRows ?? (await readRows(services.db, store, query));
  const isOnlyPage = !cursor && titleRows.rows.length <= limit;
  const countRows = async () =>
    withTotal ? readTotal(services, store, filter, filterTitles(services.db, store, filter, search)) : null;
  const total = cursor
    ? cursor.total
    : isOnlyPage
      ? titleRows.rows.length
      : titleRows.total === undefined
        ? await countRows()
        : titleRows.total;
  const cutRows = cutPage(titleRows.rows, limit, sort, total);
  return { ...cutRows, total };
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
