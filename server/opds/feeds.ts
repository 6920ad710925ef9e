import { pageNameAt } from '../kernel/page-names.ts';
import { categoryAndBelow, listCategories, nameIn } from '../catalogue/category-tree.ts';
import { findTitle } from '../catalogue/find-title.ts';
import { listTitles } from '../catalogue/list-titles.ts';
import type { TitleFilter } from '../catalogue/title-filter.ts';
import type { Services } from '../services.ts';
import type { Store } from '../stores/stores.ts';
import { FEED, type OpdsFeed, type OpdsLink, type OpdsPublication } from './opds.ts';
import { isOffered, publicationOf, readMore, searchLink, type Shelf } from './publication.ts';

/** Titles of one page. */
const PAGE = 50;

/** Lists of all titles, by the end of their feed's address; each is called as the shop's own list is. */
const LISTS: Readonly<Record<string, { path: string; sort: string; free?: true; rel?: string }>> = {
  new: { path: '/all/new', sort: 'newest', rel: 'http://opds-spec.org/sort/new' },
  popular: { path: '/all/popular', sort: 'popular', rel: 'http://opds-spec.org/sort/popular' },
  free: { path: '/all/free', sort: 'newest', free: true },
};

export type FeedRequest = { services: Services; store: Store; shelf: Shelf; shop: string };

const nameOf = (path: string, { shelf }: FeedRequest): string => pageNameAt(path, shelf.spoken.language) ?? path;

const addressOf = ({ shelf }: FeedRequest, path: string): string => `${shelf.origin}/opds${path}${shelf.query}`;

const ends = (request: FeedRequest): OpdsLink[] => [
  { href: addressOf(request, ''), type: FEED, rel: 'start' },
  searchLink(request.shelf),
];

/** Where a reading app begins: the lists of the shop, and its categories. */
export async function startFeed(request: FeedRequest): Promise<OpdsFeed> {
  const { services, store, shelf, shop } = request;
  const categories = await services.cache.of(store, 'categories', () => listCategories(services.db, store.id));
  const lists = Object.entries(LISTS).map(([name, { path, rel }]) => ({
    href: addressOf(request, `/${name}`),
    title: nameOf(path, request),
    type: FEED,
    ...(rel === undefined ? {} : { rel }),
  }));
  const tops = categories.filter(({ parent_id: parent, count }) => parent === null && count > 0);
  return {
    metadata: { title: shop },
    links: [{ href: addressOf(request, ''), type: FEED, rel: 'self' }, ...ends(request)],
    navigation: [
      ...lists,
      ...tops.map((category) => ({
        href: addressOf(request, `/categories/${encodeURIComponent(category.id)}`),
        title: nameIn(category, shelf.spoken),
        type: FEED,
        rel: 'subsection',
        properties: { numberOfItems: category.count },
      })),
    ],
  };
}

type Listing = {
  title: string;
  path: string;
  filter: Partial<TitleFilter>;
  sort?: string;
  extra?: Record<string, string>;
  below?: OpdsLink[];
};

async function listing(
  request: FeedRequest,
  { title, path, filter, sort, extra = {}, below = [] }: Listing,
  cursor: string | undefined,
): Promise<OpdsFeed> {
  const { services, store, shelf } = request;
  const page = await listTitles(services, store, { type: 0, ...filter }, { sort, cursor, limit: PAGE });
  const about = await readMore(
    services.db,
    store.id,
    page.rows.map(({ id }) => id),
  );
  const at = (next: string | undefined): string => {
    const url = new URL(addressOf(request, path));
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
    if (next !== undefined) url.searchParams.set('cursor', next);
    return url.href;
  };
  const publications = page.rows.filter(isOffered).flatMap((row) => {
    const own = about.get(row.id);
    return own === undefined ? [] : [publicationOf(row, own, shelf)];
  });
  return {
    metadata: { title, ...(page.total === null ? {} : { numberOfItems: page.total }), itemsPerPage: PAGE },
    links: [
      { href: at(cursor), type: FEED, rel: 'self' },
      { href: at(undefined), type: FEED, rel: 'first' },
      ...(page.next === undefined ? [] : [{ href: at(page.next), type: FEED, rel: 'next' }]),
      ...ends(request),
    ],
    ...(below.length === 0 ? {} : { navigation: below }),
    publications,
  };
}

/** One of the lists of all titles; undefined for a name that none has. */
export async function listFeed(request: FeedRequest, name: string, cursor: string | undefined): Promise<OpdsFeed | undefined> {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
  if (!list) return undefined;
  const filter = list.free ? { free: true } : {};
  return listing(request, { title: nameOf(list.path, request), path: `/${name}`, filter, sort: list.sort }, cursor);
}

/** The titles of a category and of all below it, and the ways down; undefined where there is none. */
export async function categoryFeed(request: FeedRequest, id: string, cursor: string | undefined): Promise<OpdsFeed | undefined> {
  const { services, store, shelf } = request;
  const found = await categoryAndBelow(services.db, store.id, { kind: 'category', column: 'id', value: id });
  if (!found) return undefined;
  const categories = await services.cache.of(store, 'categories', () => listCategories(services.db, store.id));
  const below = categories
    .filter(({ parent_id: parent, count }) => parent === id && count > 0)
    .map((category) => ({
      href: addressOf(request, `/categories/${encodeURIComponent(category.id)}`),
      title: nameIn(category, shelf.spoken),
      type: FEED,
      rel: 'subsection',
    }));
  const path = `/categories/${encodeURIComponent(id)}`;
  return listing(request, { title: nameIn(found, shelf.spoken), path, filter: { categories: [found.ids] }, below }, cursor);
}

export const searchFeed = (request: FeedRequest, words: string, cursor: string | undefined): Promise<OpdsFeed> =>
  listing(
    request,
    { title: words.trim() || request.shop, path: '/search', filter: { search: words }, extra: { query: words } },
    cursor,
  );

/** One title by itself; undefined where there is none that is listed and offered. */
export async function titleEntry({ services, store, shelf }: FeedRequest, id: string): Promise<OpdsPublication | undefined> {
  const title = await findTitle(services.db, store.id, { id });
  if (!title?.listed || !isOffered(title)) return undefined;
  const about = (await readMore(services.db, store.id, [id])).get(id);
  return about && publicationOf(title, about, shelf);
}
