import * as v from 'valibot';
import { applied, type Wish, type WishChange } from '../../../machines/model/buying/wish-list.ts';
import type { StorageKey } from '../../storage/storage-keys.ts';
import { store, stored } from '../../storage/storage.ts';
import { acrossTabs } from '../world/across-tabs.ts';
import { raise } from '../wire/problem.ts';

/** The id of a title, or of a campaign; other values in a browser's storage are not ours. */
export const KeptId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i));

const Kept = v.array(v.object({ titleId: KeptId, savedAt: v.string() }));

const latestFirst = (titles: Wish[]): Wish[] => titles.toSorted((a, b) => Date.parse(b.savedAt) - Date.parse(a.savedAt));

/** The change with the time of now, where it saves a title and has none. */
export const dated = <Change extends WishChange>(change: Change): Change =>
  change.isSaved ? { ...change, savedAt: change.savedAt ?? new Date().toISOString() } : change;

/**
 * A list of titles that this browser keeps, the cart or the wish list: a visitor's, or the rest of
 * one that has not reached the account yet. A change without room is refused by `fullCode`.
 */
export const keptTitles = (name: StorageKey, most: number, fullCode: string) => {
  const { tellOtherTabs, ...tabs } = acrossTabs(name);
  const read = (): Wish[] => stored(name, Kept, []).slice(0, most);
  const keep = (titles: Wish[]): void => store(name, titles);
  const full = (): never => raise({ kind: 'refused', code: fullCode, message: '' });
  return {
    ...tabs,
    tellOtherTabs,
    read,
    readLatestFirst: (): Wish[] => latestFirst(read()),
    keep,
    full,
    /** Makes a visitor's changes. @returns the whole list, the latest first */
    change: (changes: readonly WishChange[]): Wish[] => {
      const titles = latestFirst(applied(read(), changes));
      if (titles.length > most) return full();
      keep(titles);
      tellOtherTabs();
      return titles;
    },
  };
};
