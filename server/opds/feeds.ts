import { findPageName } from '../kernel/page-names.ts';
import { findCategoryWithDescendants, listCategories, getCategoryName } from '../catalogue/category-tree.ts';
import { findTitle } from '../catalogue/find-title.ts';
import { listTitles } from '../catalogue/list-titles.ts';
import type { TitleFilter } from '../catalogue/title-filter.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores/stores.ts';
import { FEED_TYPE, type OpdsFeed, type OpdsLink, type OpdsPublication } from './opds.ts';
import { isAcquirable, toPublication, readDetails, toSearchLink, type FeedContext } from './publication.ts';

/** Titles per page. */
const PAGE_SIZE = 50;

/**
 * Lists of all titles, by the last part of their feed's address; named like the shop's own lists.
 */
const LISTS: Readonly<Record<string, { path: string; sort: string; free?: true; rel?: string }>> = {
  new: { path: '/all/new', sort: 'newest', rel: 'http://opds-spec.org/sort/new' },
  popular: { path: '/all/popular', sort: 'popular', rel: 'http://opds-spec.org/sort/popular' },
  free: { path: '/all/free', sort: 'newest', free: true },
};

export type FeedRequest = { services: Services; store: Store; context: FeedContext; shop: string };

const getListName = (path: string, { context }: FeedRequest): string =>
  findPageName(path, context.storeLanguage.language) ?? path;

const toFeedUrl = ({ context }: FeedRequest, path: string): string => `${context.origin}/opds${path}${context.query}`;

const toNavigationLinks = (request: FeedRequest): OpdsLink[] => [
  { href: toFeedUrl(request, ''), type: FEED_TYPE, rel: 'start' },
  toSearchLink(request.context),
];

/** The start feed of a reading app: the lists of the shop, and its categories. */
export async function readStartFeed(request: FeedRequest): Promise<OpdsFeed> {
  const { services, store, context, shop } = request;
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const lists = Object.entries(LISTS).map(([name, { path, rel }]) => ({
    href: toFeedUrl(request, `/${name}`),
    title: getListName(path, request),
    type: FEED_TYPE,
    ...(rel === undefined ? {} : { rel }),
  }));
  const topCategories = categories.filter(({ parent_id: parent, count }) => parent === null && count > 0);
  return {
    metadata: { title: shop },
    links: [{ href: toFeedUrl(request, ''), type: FEED_TYPE, rel: 'self' }, ...toNavigationLinks(request)],
    navigation: [
      ...lists,
      ...topCategories.map((category) => ({
        href: toFeedUrl(request, `/categories/${encodeURIComponent(category.id)}`),
        title: getCategoryName(category, context.storeLanguage),
        type: FEED_TYPE,
        rel: 'subsection',
        properties: { numberOfItems: category.count },
      })),
    ],
  };
}

type FeedList = {
  title: string;
  path: string;
  filter: Partial<TitleFilter>;
  sort?: string;
  extra?: Record<string, string>;
  subcategories?: OpdsLink[];
};

async function readListFeed(
  request: FeedRequest,
  { title, path, filter, sort, extra = {}, subcategories = [] }: FeedList,
  cursor: string | undefined,
): Promise<OpdsFeed> {
  const { services, store, context } = request;
  const page = await listTitles(services, store, { type: 0, ...filter }, { sort, cursor, limit: PAGE_SIZE });
  const detailsById = await readDetails(
    services.db,
    store.id,
    page.rows.map(({ id }) => id),
  );
  const toPageUrl = (next: string | undefined): string => {
    const url = new URL(toFeedUrl(request, path));
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
    if (next !== undefined) url.searchParams.set('cursor', next);
    return url.href;
  };
  const publications = page.rows.filter(isAcquirable).flatMap((row) => {
    const details = detailsById.get(row.id);
    return details === undefined ? [] : [toPublication(row, details, context)];
  });
  return {
    metadata: { title, ...(page.total === null ? {} : { numberOfItems: page.total }), itemsPerPage: PAGE_SIZE },
    links: [
      { href: toPageUrl(cursor), type: FEED_TYPE, rel: 'self' },
      { href: toPageUrl(undefined), type: FEED_TYPE, rel: 'first' },
      ...(page.next === undefined ? [] : [{ href: toPageUrl(page.next), type: FEED_TYPE, rel: 'next' }]),
      ...toNavigationLinks(request),
    ],
    ...(subcategories.length === 0 ? {} : { navigation: subcategories }),
    publications,
  };
}

/** One of the lists of all titles; undefined for an unknown name. */
export async function readNamedFeed(
  request: FeedRequest,
  name: string,
  cursor: string | undefined,
): Promise<OpdsFeed | undefined> {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!list) return undefined;
  const filter = list.free ? { free: true } : {};
  return readListFeed(request, { title: getListName(list.path, request), path: `/${name}`, filter, sort: list.sort }, cursor);
}

/**
 * The titles of a category and its subcategories, with links to these; undefined for an unknown
 * category.
 */
export async function readCategoryFeed(
  request: FeedRequest,
  id: string,
  cursor: string | undefined,
): Promise<OpdsFeed | undefined> {
  const { services, store, context } = request;
  const parentCategory = await findCategoryWithDescendants(services.db, store.id, { kind: 'category', column: 'id', value: id });
  if (!parentCategory) return undefined;
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const subcategories = categories
    .filter(({ parent_id: parent, count }) => parent === id && count > 0)
    .map((category) => ({
      href: toFeedUrl(request, `/categories/${encodeURIComponent(category.id)}`),
      title: getCategoryName(category, context.storeLanguage),
      type: FEED_TYPE,
      rel: 'subsection',
    }));
  const path = `/categories/${encodeURIComponent(id)}`;
  return readListFeed(
    request,
    {
      title: getCategoryName(parentCategory, context.storeLanguage),
      path,
      filter: { categories: [parentCategory.ids] },
      subcategories,
    },
    cursor,
  );
}

export const readSearchFeed = (request: FeedRequest, words: string, cursor: string | undefined): Promise<OpdsFeed> =>
  readListFeed(
    request,
    { title: words.trim() || request.shop, path: '/search', filter: { search: words }, extra: { query: words } },
    cursor,
  );

/**
 * A single title; undefined where it is unknown or not listed, or has neither a sale nor a sample.
 */
export async function readTitleEntry(
  { services, store, context }: FeedRequest,
  id: string,
): Promise<OpdsPublication | undefined> {
  const title = await findTitle(services.db, store.id, { id });
  if (!title?.listed || !isAcquirable(title)) return undefined;
  const details = (await readDetails(services.db, store.id, [id])).get(id);
  return details && toPublication(title, details, context);
}
