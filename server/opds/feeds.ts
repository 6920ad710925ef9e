import { findPageName } from '../kernel/page-names.ts';
import { findCategoryAndBelow, listCategories, getCategoryName } from '../catalogue/category-tree.ts';
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

export type FeedRequest = { services: Services; store: Store; shelf: FeedContext; shop: string };

const getListName = (path: string, { shelf }: FeedRequest): string => findPageName(path, shelf.spoken.language) ?? path;

const toFeedUrl = ({ shelf }: FeedRequest, path: string): string => `${shelf.origin}/opds${path}${shelf.query}`;

const toNavigationLinks = (request: FeedRequest): OpdsLink[] => [
  { href: toFeedUrl(request, ''), type: FEED_TYPE, rel: 'start' },
  toSearchLink(request.shelf),
];

/** The start feed of a reading app: the lists of the shop, and its categories. */
export async function startFeed(request: FeedRequest): Promise<OpdsFeed> {
  const { services, store, shelf, shop } = request;
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const lists = Object.entries(LISTS).map(([name, { path, rel }]) => ({
    href: toFeedUrl(request, `/${name}`),
    title: getListName(path, request),
    type: FEED_TYPE,
    ...(rel === undefined ? {} : { rel }),
  }));
  const tops = categories.filter(({ parent_id: parent, count }) => parent === null && count > 0);
  return {
    metadata: { title: shop },
    links: [{ href: toFeedUrl(request, ''), type: FEED_TYPE, rel: 'self' }, ...toNavigationLinks(request)],
    navigation: [
      ...lists,
      ...tops.map((category) => ({
        href: toFeedUrl(request, `/categories/${encodeURIComponent(category.id)}`),
        title: getCategoryName(category, shelf.spoken),
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
  below?: OpdsLink[];
};

async function readListFeed(
  request: FeedRequest,
  { title, path, filter, sort, extra = {}, below = [] }: FeedList,
  cursor: string | undefined,
): Promise<OpdsFeed> {
  const { services, store, shelf } = request;
  const page = await listTitles(services, store, { type: 0, ...filter }, { sort, cursor, limit: PAGE_SIZE });
  const about = await readDetails(
    services.db,
    store.id,
    page.rows.map(({ id }) => id),
  );
  const at = (next: string | undefined): string => {
    const url = new URL(toFeedUrl(request, path));
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
    if (next !== undefined) url.searchParams.set('cursor', next);
    return url.href;
  };
  const publications = page.rows.filter(isAcquirable).flatMap((row) => {
    const own = about.get(row.id);
    return own === undefined ? [] : [toPublication(row, own, shelf)];
  });
  return {
    metadata: { title, ...(page.total === null ? {} : { numberOfItems: page.total }), itemsPerPage: PAGE_SIZE },
    links: [
      { href: at(cursor), type: FEED_TYPE, rel: 'self' },
      { href: at(undefined), type: FEED_TYPE, rel: 'first' },
      ...(page.next === undefined ? [] : [{ href: at(page.next), type: FEED_TYPE, rel: 'next' }]),
      ...toNavigationLinks(request),
    ],
    ...(below.length === 0 ? {} : { navigation: below }),
    publications,
  };
}

/** One of the lists of all titles; undefined for an unknown name. */
export async function listFeed(request: FeedRequest, name: string, cursor: string | undefined): Promise<OpdsFeed | undefined> {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!list) return undefined;
  const filter = list.free ? { free: true } : {};
  return readListFeed(request, { title: getListName(list.path, request), path: `/${name}`, filter, sort: list.sort }, cursor);
}

/**
 * The titles of a category and its subcategories, with links to these; undefined for an unknown
 * category.
 */
export async function categoryFeed(request: FeedRequest, id: string, cursor: string | undefined): Promise<OpdsFeed | undefined> {
  const { services, store, shelf } = request;
  const found = await findCategoryAndBelow(services.db, store.id, { kind: 'category', column: 'id', value: id });
  if (!found) return undefined;
  const categories = await services.cache.getOrCompute(store, 'categories', () => listCategories(services.db, store.id));
  const below = categories
    .filter(({ parent_id: parent, count }) => parent === id && count > 0)
    .map((category) => ({
      href: toFeedUrl(request, `/categories/${encodeURIComponent(category.id)}`),
      title: getCategoryName(category, shelf.spoken),
      type: FEED_TYPE,
      rel: 'subsection',
    }));
  const path = `/categories/${encodeURIComponent(id)}`;
  return readListFeed(
    request,
    { title: getCategoryName(found, shelf.spoken), path, filter: { categories: [found.ids] }, below },
    cursor,
  );
}

export const searchFeed = (request: FeedRequest, words: string, cursor: string | undefined): Promise<OpdsFeed> =>
  readListFeed(
    request,
    { title: words.trim() || request.shop, path: '/search', filter: { search: words }, extra: { query: words } },
    cursor,
  );

/** A single title; undefined where it is not listed or not offered. */
export async function titleEntry({ services, store, shelf }: FeedRequest, id: string): Promise<OpdsPublication | undefined> {
  const title = await findTitle(services.db, store.id, { id });
  if (!title?.listed || !isAcquirable(title)) return undefined;
  const about = (await readDetails(services.db, store.id, [id])).get(id);
  return about && toPublication(title, about, shelf);
}
