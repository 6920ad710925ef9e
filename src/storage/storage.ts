import * as v from 'valibot';
import type { StorageKey } from './storage-keys.ts';

type KeyValueStorage = {
  getItem: (key: StorageKey) => string | null;
  /** @throws DOMException when the storage is full */
  setItem: (key: StorageKey, value: string) => void;
  /**
   * Removes an item. One that the browser refuses to remove is hidden for the page's lifetime.
   * @returns whether the browser removed it
   */
  removeItem: (key: StorageKey) => boolean;
  /** The keys of all items, including those of other pages. */
  keys: () => string[];
};

/**
 * In-memory fallback for storage that a browser refuses (private windows, blocked sites), for the
 * page's lifetime.
 */
const createMemoryStorage = (): KeyValueStorage => {
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

const wrapStorage = (storage: Storage): KeyValueStorage => {
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

const openOrInMemory = (open: () => Storage): KeyValueStorage => {
  try {
    const storage = open();
    storage.setItem('colophon.probe', '1');
    storage.removeItem('colophon.probe');
    return wrapStorage(storage);
  } catch {
    return createMemoryStorage();
  }
};

/** A storage that is opened when it is first used. */
const openOnFirstUse = (open: () => Storage): KeyValueStorage => {
  let storage: KeyValueStorage | null = null;
  const getStorage = (): KeyValueStorage => (storage ??= openOrInMemory(open));
  return {
    getItem: (key) => getStorage().getItem(key),
    setItem: (key, value) => getStorage().setItem(key, value),
    removeItem: (key) => getStorage().removeItem(key),
    keys: () => getStorage().keys(),
  };
};

/** `localStorage`, or memory where the browser refuses it. */
export const safeLocalStorage = openOnFirstUse(() => globalThis.localStorage);
/** `sessionStorage`, or memory where the browser refuses it. */
export const safeSessionStorage = openOnFirstUse(() => globalThis.sessionStorage);

/** The valid value stored under `key`, or `fallback` when it is missing or invalid. */
export const readItem = <Schema extends v.GenericSchema>(
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
 * Stores as many of the first items of a list as fit, in place of the stored list. If none fit, the
 * stored list stays.
 * @returns how many items were stored
 */
export const writeList = (key: StorageKey, items: readonly unknown[]): number => {
  for (let count = items.length; count > 0; count -= 1)
    try {
      safeLocalStorage.setItem(key, JSON.stringify(items.slice(0, count)));
      return count;
    } catch {
      // Fewer items may fit.
    }
  return 0;
};

/**
 * Stores a value as JSON. If the storage is full, the value is lost without an error, and the older
 * value is removed.
 * @throws DOMException where the browser refuses both to write and to remove, since the older value
 * would be read at the next visit
 */
export const writeItem = (key: StorageKey, value: unknown, storage: KeyValueStorage = safeLocalStorage): void => {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch (error) {
    if (!storage.removeItem(key)) throw error;
  }
};
