import * as v from 'valibot';

/** Storage that a browser refuses (private windows, blocked sites) falls back to memory for as long as the page lives. */
const inMemory = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
};

const usable = (open: () => Storage) => {
  try {
    const storage = open();
    storage.setItem('colophon.probe', '1');
    storage.removeItem('colophon.probe');
    return storage;
  } catch {
    return inMemory();
  }
};

/** Kept until it is removed. */
export const lasting = usable(() => globalThis.localStorage);
/** Kept as long as the tab lives. */
export const perTab = usable(() => globalThis.sessionStorage);

/** What is stored under `key`, or `fallback` when there is nothing or something that is not of the schema. */
export const stored = <Schema extends v.GenericSchema>(
  key: string,
  schema: Schema,
  fallback: v.InferOutput<Schema>,
): v.InferOutput<Schema> => {
  try {
    return v.parse(schema, JSON.parse(lasting.getItem(key) ?? ''));
  } catch {
    return fallback;
  }
};

/** Stores a plain value; a full storage is no reason to fail what the customer does. */
export const store = (key: string, value: unknown): void => {
  try {
    lasting.setItem(key, JSON.stringify(value));
  } catch {
    lasting.removeItem(key);
  }
};
