import * as v from 'valibot';
import { applyChanges, type Wish, type WishChange } from '../../../machines/model/buying/wish-list.ts';
import type { StorageKey } from '../../storage/storage-keys.ts';
import { writeItem, readItem } from '../../storage/storage.ts';
import { createTabChannel } from '../environment/across-tabs.ts';
import { throwProblem } from '../wire/problem.ts';

/**
 * The id of a title or of a campaign in the browser's storage; other values were not written by the
 * shop.
 */
export const StoredId = v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i));

const StoredTitles = v.array(v.object({ titleId: StoredId, savedAt: v.string() }));

const sortLatestFirst = (titles: Wish[]): Wish[] => titles.toSorted((a, b) => Date.parse(b.savedAt) - Date.parse(a.savedAt));

/** Adds the current time to a change that saves a title without one. */
export const withSavedAt = <Change extends WishChange>(change: Change): Change =>
  change.isSaved ? { ...change, savedAt: change.savedAt ?? new Date().toISOString() } : change;

/**
 * A list of titles in this browser's storage, the cart or the wish list: a visitor's list, or
 * titles that the account does not have yet. A change beyond `maxTitles` is refused with
 * `fullCode`.
 */
export const createTitleStorage = (name: StorageKey, maxTitles: number, fullCode: string) => {
  const { signalOtherTabs, ...tabs } = createTabChannel(name);
  const read = (): Wish[] => readItem(name, StoredTitles, []).slice(0, maxTitles);
  const save = (titles: Wish[]): void => writeItem(name, titles);
  const throwFull = (): never => throwProblem({ kind: 'refused', code: fullCode, message: '' });
  return {
    ...tabs,
    signalOtherTabs,
    read,
    readLatestFirst: (): Wish[] => sortLatestFirst(read()),
    save,
    throwFull,
    /** Applies a visitor's changes. @returns the whole list, the latest first */
    change: (changes: readonly WishChange[]): Wish[] => {
      const titles = sortLatestFirst(applyChanges(read(), changes));
      if (titles.length > maxTitles) return throwFull();
      save(titles);
      signalOtherTabs();
      return titles;
    },
  };
};
