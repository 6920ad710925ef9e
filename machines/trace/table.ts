import type { Plain } from './format.ts';

/**
 * Maximum characters of packed JSON of an inline value; a longer value is stored in the table and
 * referenced.
 */
const MAX_INLINE_CHARS = 60;

/**
 * The key of a reference to a value of the table; keys of data that look alike get an extra `$`.
 */
const referenceKey = '$at';
const referencePattern = /^\$+at$/;

type Entry = { text: string; uses: readonly number[] };

/**
 * The values that a trace's runs share, each stored once: names of actors and events, responses of
 * the server, and parts of responses that recur in contexts. A value references only values with
 * smaller numbers.
 */
export type Table = {
  /** Adds a value to the table unless the table has it; returns the value's number. */
  put: (value: Plain) => number;
  /** Replaces the long parts of a value by references, and adds them to the table. */
  pack: (value: Plain) => Plain;
  /** Replaces the long parts of a value by references; undefined if the table lacks one of them. */
  find: (value: Plain) => Plain | undefined;
  /**
   * The three functions above, which also add the numbers of all values that they reference,
   * directly or within other values, to `usedIds`.
   */
  trackUses: (usedIds: Set<number>) => Pick<Table, 'put' | 'pack' | 'find'>;
  /** The total characters of all values. */
  size: () => number;
  /** The total characters of these values. */
  sizeOf: (ids: Iterable<number>) => number;
  /** Removes all values except these. */
  keep: (ids: ReadonlySet<number>) => void;
  /** These values as the text of a JSON object. */
  json: (ids: ReadonlySet<number>) => string;
};

const isObject = (value: Plain): value is Plain[] | { [key: string]: Plain } => typeof value === 'object' && value !== null;

const toReference = (id: number): Plain => ({ [referenceKey]: id });

/** The number of a reference; null for any other value. */
const getReference = (value: Plain): number | null => {
  if (!isObject(value) || Array.isArray(value)) return null;
  const id = value[referenceKey];
  return typeof id === 'number' ? id : null;
};

const getValues = (value: Plain): Plain[] => (isObject(value) ? Object.values(value) : []);

const collectReferences = (packed: Plain): number[] => {
  const id = getReference(packed);
  return id === null ? getValues(packed).flatMap(collectReferences) : [id];
};

/** A table as stored in the file: the values by their numbers. */
export type StoredTable = Readonly<Record<string, Plain>>;

export const createTable = (storedTable: StoredTable = {}): Table => {
  const entries = new Map<number, Entry>();
  const ids = new Map<string, number>();
  let lastId = -1;

  let size = 0;

  const getEntrySize = (id: number, { text }: Entry): number => text.length + String(id).length + 4;

  const addEntry = (id: number, packed: Plain, text = JSON.stringify(packed)): number => {
    const entry = { text, uses: collectReferences(packed) };
    entries.set(id, entry);
    size += getEntrySize(id, entry);
    ids.set(text, id);
    lastId = Math.max(lastId, id);
    return id;
  };
  for (const [id, packed] of Object.entries(storedTable)) addEntry(Number(id), packed);

  const packParts = (value: Plain, mayAdd: boolean): Plain | undefined => {
    if (!isObject(value)) return value;
    const parts = Object.entries(value).map(([key, part]): [string, Plain | undefined] => [
      referencePattern.test(key) ? `$${key}` : key,
      packValue(part, mayAdd),
    ]);
    if (parts.some(([, part]) => part === undefined)) return undefined;
    return Array.isArray(value) ? parts.map(([, part]) => part ?? null) : (Object.fromEntries(parts) as Plain);
  };
  /** A packed value, or its reference; undefined if the table lacks it and `mayAdd` is false. */
  const packValue = (value: Plain, mayAdd: boolean): Plain | undefined => {
    const packed = packParts(value, mayAdd);
    if (packed === undefined || !(isObject(packed) || typeof packed === 'string')) return packed;
    const text = JSON.stringify(packed);
    if (text.length <= MAX_INLINE_CHARS) return packed;
    const id = ids.get(text) ?? (mayAdd ? addEntry(lastId + 1, packed, text) : undefined);
    return id === undefined ? undefined : toReference(id);
  };

  const markUsed = (id: number, usedIds: Set<number>): void => {
    if (usedIds.has(id)) return;
    usedIds.add(id);
    for (const each of entries.get(id)?.uses ?? []) markUsed(each, usedIds);
  };

  const put = (value: Plain): number => {
    const packed = packParts(value, true) ?? null;
    const text = JSON.stringify(packed);
    return ids.get(text) ?? addEntry(lastId + 1, packed, text);
  };
  const pack = (value: Plain): Plain => packValue(value, true) ?? null;
  const find = (value: Plain): Plain | undefined => packValue(value, false);

  return {
    put,
    pack,
    find,
    trackUses: (usedIds) => {
      const trackReferences = <Packed extends Plain | undefined>(packed: Packed): Packed => {
        if (packed !== undefined) for (const id of collectReferences(packed)) markUsed(id, usedIds);
        return packed;
      };
      return {
        put: (value) => {
          const id = put(value);
          markUsed(id, usedIds);
          return id;
        },
        pack: (value) => trackReferences(pack(value)),
        find: (value) => trackReferences(find(value)),
      };
    },
    size: () => size,
    sizeOf: (ids) => {
      let sum = 0;
      for (const id of ids) {
        const entry = entries.get(id);
        if (entry) sum += getEntrySize(id, entry);
      }
      return sum;
    },
    keep: (keptIds) => {
      for (const [id, entry] of entries) {
        if (keptIds.has(id)) continue;
        entries.delete(id);
        ids.delete(entry.text);
        size -= getEntrySize(id, entry);
      }
    },
    json: (selectedIds) => {
      const texts = [...entries].filter(([id]) => selectedIds.has(id)).map(([id, { text }]) => `"${id}":${text}`);
      return `{${texts.join(',')}}`;
    },
  };
};

/** Maximum characters of all unpacked values: a manipulated file must not exhaust the memory. */
const MAX_UNPACKED_SIZE = 40_000_000;

/**
 * Creates functions that resolve references to their values.
 * @throws RangeError for an unknown reference, for a reference to a value that does not precede it,
 * or if the total size exceeds the limit
 */
export const createReader = (storedTable: StoredTable): { at: (id: unknown) => Plain; unpack: (packed: Plain) => Plain } => {
  const values = new Map<number, { value: Plain; size: number }>();
  let unpackedSize = 0;

  const restore = (value: Plain, maxId: number): { value: Plain; size: number } => {
    const id = getReference(value);
    if (id !== null) {
      const entry = values.get(id);
      if (!Object.hasOwn(storedTable, id)) throw new RangeError(`The table has no value ${id}`);
      if (id >= maxId || !entry) throw new RangeError(`Value ${maxId} refers to value ${id}: expected an earlier value`);
      return entry;
    }
    if (!isObject(value)) return { value, size: typeof value === 'string' ? value.length : 8 };
    const parts = Object.entries(value).map(([key, part]): [string, { value: Plain; size: number }] => [
      referencePattern.test(key) ? key.slice(1) : key,
      restore(part, maxId),
    ]);
    const size = parts.reduce((sum, [key, part]) => sum + key.length + part.size, 2);
    if (size > MAX_UNPACKED_SIZE) throw new RangeError(`The values exceed ${MAX_UNPACKED_SIZE} characters`);
    const restoredValue = Array.isArray(value)
      ? parts.map(([, part]) => part.value)
      : Object.fromEntries(parts.map(([key, part]) => [key, part.value]));
    return { value: restoredValue, size };
  };
  const ids = Object.keys(storedTable).map(Number);
  for (const id of ids.toSorted((one, other) => one - other)) values.set(id, restore(storedTable[id] ?? null, id));

  const toLimitedValue = ({ value, size }: { value: Plain; size: number }): Plain => {
    unpackedSize += size;
    if (unpackedSize > MAX_UNPACKED_SIZE) throw new RangeError(`The values exceed ${MAX_UNPACKED_SIZE} characters`);
    return value;
  };
  return {
    at: (id) => {
      const entry = typeof id === 'number' ? values.get(id) : undefined;
      if (!entry) throw new RangeError(`The table has no value ${JSON.stringify(id)}`);
      return toLimitedValue(entry);
    },
    unpack: (packed) => toLimitedValue(restore(packed, Infinity)),
  };
};
