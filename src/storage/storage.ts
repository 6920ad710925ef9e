import * as v from 'valibot';
import type { StorageKey } from './storage-keys.ts';

type KeyValueStorage = {
  getItem: (key: StorageKey) => string | null;
  /** @throws DOMException when the storage is full */
  setItem: (key: StorageKey, value: string) => void;
  /**
   * An item that the browser refuses to remove is not read again for as long as the page lives.
   * @returns whether it was removed
   */
  removeItem: (key: StorageKey) => boolean;
  /** The keys of all items, other pages' included. */
  keys: () => string[];
};

/** Storage that a browser refuses (private windows, blocked sites) falls back to memory for as long as the page lives. */
const inMemory = (): KeyValueStorage => {
  const items = new Map<StorageKey, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => {
      items.delete(key);
      return true;
    },
    keys: () => [...items.keys()],
  };
};

const inBrowser = (storage: Storage): KeyValueStorage => {
  const unremovable = new Set<StorageKey>();
  return {
    getItem: (key) => (unremovable.has(key) ? null : storage.getItem(key)),
    setItem: (key, value) => {
      storage.setItem(key, value);
      unremovable.delete(key);
    },
    removeItem: (key) => {
      try {
        storage.removeItem(key);
        return true;
      } catch {
        unremovable.add(key);
        return false;
      }
    },
    keys: () => Object.keys(storage),
  };
};

const orInMemory = (open: () => Storage): KeyValueStorage => {
  try {
    const storage = open();
    storage.setItem('colophon.probe', '1');
    storage.removeItem('colophon.probe');
    return inBrowser(storage);
  } catch {
    return inMemory();
  }
};

/** Opened when it is first used. */
const openedOnFirstUse = (open: () => Storage): KeyValueStorage => {
  let opened: KeyValueStorage | null = null;
  const store = (): KeyValueStorage => (opened ??= orInMemory(open));
  return {
    getItem: (key) => store().getItem(key),
    setItem: (key, value) => store().setItem(key, value),
    removeItem: (key) => store().removeItem(key),
    keys: () => store().keys(),
  };
};

/** `localStorage`, or memory where the browser refuses it. */
export const safeLocalStorage = openedOnFirstUse(() => globalThis.localStorage);
/** `sessionStorage`, or memory where the browser refuses it. */
export const safeSessionStorage = openedOnFirstUse(() => globalThis.sessionStorage);

/** What is stored under `key`, or `fallback` when there is nothing or something that is not of the schema. */
export const stored = <Schema extends v.GenericSchema>(
  key: StorageKey,
  schema: Schema,
  fallback: v.InferOutput<Schema>,
  storage: KeyValueStorage = safeLocalStorage,
): v.InferOutput<Schema> => {
  try {
    return v.parse(schema, JSON.parse(storage.getItem(key) ?? ''));
  } catch {
    return fallback;
  }
};

/**
 * Stores a list in place of an older one: as many of its first items as a full storage takes. Where
 * it takes none, the older list stays.
 * @returns how many items were stored
 */
export const storeList = (key: StorageKey, items: readonly unknown[]): number => {
  for (let count = items.length; count > 0; count -= 1)
    try {
      safeLocalStorage.setItem(key, JSON.stringify(items.slice(0, count)));
      return count;
    } catch {
      // Fewer may fit.
    }
  return 0;
};

/**
 * Stores a plain value. A full storage loses the value and does not fail: it has no older one then.
 * @throws where the browser refuses both to write and to remove: the older value is there at the
 * next visit
 */
export const store = (key: StorageKey, value: unknown, storage: KeyValueStorage = safeLocalStorage): void => {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!storage.removeItem(key)) throw error;
  }
};
