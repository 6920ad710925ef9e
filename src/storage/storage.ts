import * as v from 'valibot';

type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Storage that a browser refuses (private windows, blocked sites) falls back to memory for as long as the page lives. */
const inMemory = (): KeyValueStorage => {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
};

const orInMemory = (open: () => KeyValueStorage): KeyValueStorage => {
  try {
    const storage = open();
    storage.setItem('colophon.probe', '1');
    storage.removeItem('colophon.probe');
    return storage;
  } catch {
    return inMemory();
  }
};

/** Opened when it is first used. */
const openedOnFirstUse = (open: () => KeyValueStorage): KeyValueStorage => {
  let opened: KeyValueStorage | null = null;
  const store = (): KeyValueStorage => (opened ??= orInMemory(open));
  return {
    getItem: (key) => store().getItem(key),
    setItem: (key, value) => store().setItem(key, value),
    removeItem: (key) => store().removeItem(key),
  };
};

/** `localStorage`, or memory where the browser refuses it. */
export const safeLocalStorage = openedOnFirstUse(() => globalThis.localStorage);
/** `sessionStorage`, or memory where the browser refuses it. */
export const safeSessionStorage = openedOnFirstUse(() => globalThis.sessionStorage);

/** What is stored under `key`, or `fallback` when there is nothing or something that is not of the schema. */
export const stored = <Schema extends v.GenericSchema>(
  key: string,
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

/** Stores a plain value; a full storage is no reason to fail what the customer does. */
export const store = (key: string, value: unknown, storage: KeyValueStorage = safeLocalStorage): void => {
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    storage.removeItem(key);
  }
};
