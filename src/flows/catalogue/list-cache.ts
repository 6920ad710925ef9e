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

/** A list in one language, in which it may have its own name. */
type CachedQuery = ListQuery & { language?: string };

/**
 * Milliseconds that a list is cached. Its prices may be this old; the server decides what is
 * charged.
 */
const maxAgeMs = 5 * 60_000;
const maxLists = 10;
const maxTitles = 20_000;

type CachedList = ReadList & { at: number };

/**
 * A cache of loaded lists for going back; in memory only, and only for the customer who loaded
 * them.
 */
export const createListCache = (ownerNow: () => string | null, now: () => number = Date.now) => {
  let owner = ownerNow();
  const lists = new Map<string, CachedList>();

  const tidy = (): void => {
    if (owner !== ownerNow()) lists.clear();
    owner = ownerNow();
    let titles = 0;
    for (const [key, list] of [...lists].toReversed()) {
      titles += list.titles.length;
      if (titles > maxTitles || now() - list.at > maxAgeMs) lists.delete(key);
    }
    for (const key of [...lists.keys()].slice(0, -maxLists)) lists.delete(key);
  };

  return {
    remember: (query: CachedQuery, list: ReadList): void => {
      const key = JSON.stringify(query);
      lists.delete(key);
      lists.set(key, { ...list, titles: [...list.titles], at: now() });
      tidy();
    },
    recall: (query: CachedQuery): ReadList | null => {
      tidy();
      const kept = lists.get(JSON.stringify(query));
      return kept === undefined ? null : { ...kept, titles: [...kept.titles] };
    },
  };
};
