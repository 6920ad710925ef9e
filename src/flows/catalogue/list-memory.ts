import type { ListQuery } from '../../../machines/model/catalogue/list.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';

/** A list as far as it has been read: `next` leads behind its titles, null at its end. */
export type ReadList = {
  titles: TitleSummary[];
  total: number | null;
  /** The search as it was understood, where it was not as it was typed. */
  meant: string | null;
  categoryId: string | null;
  categoryName: string | null;
  /** The cursor behind the titles that a first screen draws, where the server says it. */
  behindFirst: string | null;
  /** The cursor that it begins behind; null at its start. */
  start: string | null;
  next: string | null;
};

/** A list in one language, in which it may have a name of its own. */
type Asked = ListQuery & { language?: string };

/** How long a list is kept, in milliseconds. Its prices may be this old; the server decides what is charged. */
const longest = 5 * 60_000;
const mostLists = 10;
const mostTitles = 20_000;

type Kept = ReadList & { at: number };

/** Lists that were read, for those who go back to them; only in memory, and only for the customer who read them. */
export const listMemory = (ownerNow: () => string | null, now: () => number = Date.now) => {
  let owner = ownerNow();
  const lists = new Map<string, Kept>();

  const tidy = (): void => {
    if (owner !== ownerNow()) lists.clear();
    owner = ownerNow();
    let titles = 0;
    for (const [key, list] of [...lists].toReversed()) {
      titles += list.titles.length;
      if (titles > mostTitles || now() - list.at > longest) lists.delete(key);
    }
    for (const key of [...lists.keys()].slice(0, -mostLists)) lists.delete(key);
  };

  return {
    remember: (query: Asked, list: ReadList): void => {
      const key = JSON.stringify(query);
      lists.delete(key);
      lists.set(key, { ...list, titles: [...list.titles], at: now() });
      tidy();
    },
    recall: (query: Asked): ReadList | null => {
      tidy();
      const kept = lists.get(JSON.stringify(query));
      return kept === undefined ? null : { ...kept, titles: [...kept.titles] };
    },
  };
};
