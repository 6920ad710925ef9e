/**
 * A column and direction to sort by. `kind` determines how a cursor's value is converted to SQL.
 */
export type SortOrder<Column extends string> = { column: Column; direction: 'asc' | 'desc'; kind: 'text' | 'number' | 'time' };

export type TitleColumn = 'sort_name' | 'sort_author' | 'added_at' | 'sort_price' | 'popularity' | 'series_place' | 'relevance';

const titleSortOrders: Record<string, SortOrder<TitleColumn>> = {
  newest: { column: 'added_at', direction: 'desc', kind: 'time' },
  oldest: { column: 'added_at', direction: 'asc', kind: 'time' },
  title: { column: 'sort_name', direction: 'asc', kind: 'text' },
  'title-desc': { column: 'sort_name', direction: 'desc', kind: 'text' },
  author: { column: 'sort_author', direction: 'asc', kind: 'text' },
  price: { column: 'sort_price', direction: 'asc', kind: 'number' },
  'price-desc': { column: 'sort_price', direction: 'desc', kind: 'number' },
  relevance: { column: 'relevance', direction: 'desc', kind: 'number' },
  popular: { column: 'popularity', direction: 'desc', kind: 'number' },
  series: { column: 'series_place', direction: 'asc', kind: 'number' },
};

/** The sort orders of a title list. */
export const TITLE_SORTS: readonly string[] = Object.keys(titleSortOrders);

export type LibraryColumn = 'granted_at' | 'opened_at' | 'sort_name' | 'sort_author';

const librarySortOrders: Record<string, SortOrder<LibraryColumn>> = {
  newest: { column: 'granted_at', direction: 'desc', kind: 'time' },
  opened: { column: 'opened_at', direction: 'desc', kind: 'time' },
  title: { column: 'sort_name', direction: 'asc', kind: 'text' },
  'title-desc': { column: 'sort_name', direction: 'desc', kind: 'text' },
  author: { column: 'sort_author', direction: 'asc', kind: 'text' },
};

/** The sort orders of a library. */
export const LIBRARY_SORTS: readonly string[] = Object.keys(librarySortOrders);

type NamedSortOrder<Column extends string> = { name: string; order: SortOrder<Column> };

function findSortOrder<Column extends string>(
  orders: Record<string, SortOrder<Column>>,
  sort: string | undefined,
  defaultName: string,
): NamedSortOrder<Column> {
  const requestedName = (sort ?? '').toLowerCase();
  const name = Object.hasOwn(orders, requestedName) ? requestedName : defaultName;
  const order = orders[name];
  if (!order) throw new Error(`Unknown sort order: ${name}; expected ${Object.keys(orders).join(', ')}.`);
  return { name, order };
}

/**
 * The sort order of a title list; unknown names mean the newest first; for a search the best match,
 * for a series its own order.
 */
export const getTitleSortOrder = (
  sort: string | undefined,
  list: { search: boolean; series: boolean },
): NamedSortOrder<TitleColumn> => {
  if (list.search) return findSortOrder(titleSortOrders, sort, 'relevance');
  return findSortOrder(
    titleSortOrders,
    sort?.toLowerCase() === 'relevance' ? undefined : sort,
    list.series ? 'series' : 'newest',
  );
};
/** The sort order of a library; unknown names mean the latest acquisition first. */
export const getLibrarySortOrder = (sort: string | undefined): NamedSortOrder<LibraryColumn> =>
  findSortOrder(librarySortOrders, sort, 'newest');
