import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';

/** A list as far as it has been loaded: `next` is the cursor after its titles, null at its end. */
export type ReadList = {
  titles: TitleSummary[];
  total: number | null;
  /** The corrected search, where the server corrected the typed one. */
  meant: string | null;
  categoryId: string | null;
  categoryName: string | null;
  /** The cursor after the titles of a first screen, where the server reports it. */
  behindFirst: string | null;
  /** The cursor that the list starts at; null at its beginning. */
  start: string | null;
  next: string | null;
};

/** A query and its language: the name of its list may depend on the language. */
type CachedQuery = ListQuery & { language?: string };

/**
 * Milliseconds that a list is cached. Its prices may be this old; the server decides the price that
 * is charged.
 */
const maxAgeMs = 5 * 60_000;
const maxCachedLists = 10;
const maxCachedTitles = 20_000;

type CachedList = ReadList & { cachedAt: number };

/**
 * Creates a cache of loaded lists for going back; in memory only, and cleared when a customer signs
 * in or out.
 * @param getOwner the token of the signed-in customer; null for a visitor
 */
export const createListCache = (getOwner: () => string | null, now: () => number = Date.now) => {
  let owner = getOwner();
  const lists = new Map<string, CachedList>();

  const evict = (): void => {
    if (owner !== getOwner()) lists.clear();
    owner = getOwner();
    let titles = 0;
    for (const [key, list] of [...lists].toReversed()) {
      titles += list.titles.length;
      if (titles > maxCachedTitles || now() - list.cachedAt > maxAgeMs) lists.delete(key);
    }
    for (const key of [...lists.keys()].slice(0, -maxCachedLists)) lists.delete(key);
  };

  return {
    remember: (query: CachedQuery, list: ReadList): void => {
      const key = JSON.stringify(query);
      lists.delete(key);
      lists.set(key, { ...list, titles: [...list.titles], cachedAt: now() });
      evict();
    },
    recall: (query: CachedQuery): ReadList | null => {
      evict();
      const cachedList = lists.get(JSON.stringify(query));
      return cachedList === undefined ? null : { ...cachedList, titles: [...cachedList.titles] };
    },
  };
};
