import type { Plain } from './format.ts';

/**
 * Maximum characters of packed JSON of an inline value; a longer one is stored in the table and
 * referenced.
 */
const MAX_INLINE_CHARS = 60;

/**
 * Marks a reference to a value of the table; a key of data that looks like one gets an extra `$`.
 */
const referenceKey = '$at';
const referencePattern = /^\$+at$/;

type Entry = { text: string; uses: readonly number[] };

/**
 * The values that a record's runs share, each stored once: names of actors and events, answers of
 * the server, and parts of them that recur in contexts. A value references only values with a
 * smaller number.
 */
export type Table = {
  /** Adds a value to the table unless it is there; returns its number. */
  put: (value: Plain) => number;
  /** The value with its longer parts replaced by references; adds them to the table. */
  pack: (value: Plain) => Plain;
  /** The same without adding to the table; undefined if a longer part is not there. */
  find: (value: Plain) => Plain | undefined;
  /**
   * The same three functions; each number that they return is added to `used`, with the numbers
   * within that value.
   */
  counting: (used: Set<number>) => Pick<Table, 'put' | 'pack' | 'find'>;
  /** Characters of all values. */
  size: () => number;
  /** Characters of these values. */
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

/** Stored values, by their numbers. */
export type StoredTable = Readonly<Record<string, Plain>>;

export const createTable = (stored: StoredTable = {}): Table => {
  const entries = new Map<number, Entry>();
  const ids = new Map<string, number>();
  let last = -1;

  let size = 0;

  const sizeOf = (id: number, { text }: Entry): number => text.length + String(id).length + 4;

  const enter = (id: number, packed: Plain, text = JSON.stringify(packed)): number => {
    const entry = { text, uses: collectReferences(packed) };
    entries.set(id, entry);
    size += sizeOf(id, entry);
    ids.set(text, id);
    last = Math.max(last, id);
    return id;
  };
  for (const [id, packed] of Object.entries(stored)) enter(Number(id), packed);

  const inside = (value: Plain, mayEnter: boolean): Plain | undefined => {
    if (!isObject(value)) return value;
    const parts = Object.entries(value).map(([key, part]): [string, Plain | undefined] => [
      referencePattern.test(key) ? `$${key}` : key,
      replaced(part, mayEnter),
    ]);
    if (parts.some(([, part]) => part === undefined)) return undefined;
    return Array.isArray(value) ? parts.map(([, part]) => part ?? null) : (Object.fromEntries(parts) as Plain);
  };
  /** Undefined if the value is not in the table and must not be added. */
  const replaced = (value: Plain, mayEnter: boolean): Plain | undefined => {
    const packed = inside(value, mayEnter);
    if (packed === undefined || !(isObject(packed) || typeof packed === 'string')) return packed;
    const text = JSON.stringify(packed);
    if (text.length <= MAX_INLINE_CHARS) return packed;
    const id = ids.get(text) ?? (mayEnter ? enter(last + 1, packed, text) : undefined);
    return id === undefined ? undefined : toReference(id);
  };

  const collect = (id: number, used: Set<number>): void => {
    if (used.has(id)) return;
    used.add(id);
    for (const each of entries.get(id)?.uses ?? []) collect(each, used);
  };

  const put = (value: Plain): number => {
    const packed = inside(value, true) ?? null;
    const text = JSON.stringify(packed);
    return ids.get(text) ?? enter(last + 1, packed, text);
  };
  const pack = (value: Plain): Plain => replaced(value, true) ?? null;
  const find = (value: Plain): Plain | undefined => replaced(value, false);

  return {
    put,
    pack,
    find,
    counting: (used) => {
      const counted = <Packed extends Plain | undefined>(packed: Packed): Packed => {
        if (packed !== undefined) for (const id of collectReferences(packed)) collect(id, used);
        return packed;
      };
      return {
        put: (value) => {
          const id = put(value);
          collect(id, used);
          return id;
        },
        pack: (value) => counted(pack(value)),
        find: (value) => counted(find(value)),
      };
    },
    size: () => size,
    sizeOf: (used) => {
      let sum = 0;
      for (const id of used) {
        const entry = entries.get(id);
        if (entry) sum += sizeOf(id, entry);
      }
      return sum;
    },
    keep: (wanted) => {
      for (const [id, entry] of entries) {
        if (wanted.has(id)) continue;
        entries.delete(id);
        ids.delete(entry.text);
        size -= sizeOf(id, entry);
      }
    },
    json: (wanted) => {
      const kept = [...entries].filter(([id]) => wanted.has(id)).map(([id, { text }]) => `"${id}":${text}`);
      return `{${kept.join(',')}}`;
    },
  };
};

/** Maximum characters of all restored values: a manipulated record must not exhaust the memory. */
const MAX_UNPACKED_SIZE = 40_000_000;

/**
 * Resolves references to their values.
 * @throws RangeError for an unknown reference, for one to a value that does not precede it, or if
 * the total size exceeds the limit
 */
export const createReader = (stored: StoredTable): { at: (id: unknown) => Plain; unpack: (packed: Plain) => Plain } => {
  const values = new Map<number, { value: Plain; size: number }>();
  let spent = 0;

  const put = (value: Plain, below: number): { value: Plain; size: number } => {
    const id = getReference(value);
    if (id !== null) {
      const known = values.get(id);
      if (id >= below || !known) throw new RangeError(`The table has no value ${id}`);
      return known;
    }
    if (!isObject(value)) return { value, size: typeof value === 'string' ? value.length : 8 };
    const parts = Object.entries(value).map(([key, part]): [string, { value: Plain; size: number }] => [
      referencePattern.test(key) ? key.slice(1) : key,
      put(part, below),
    ]);
    const size = parts.reduce((sum, [key, part]) => sum + key.length + part.size, 2);
    if (size > MAX_UNPACKED_SIZE) throw new RangeError(`The values exceed ${MAX_UNPACKED_SIZE} characters`);
    const whole = Array.isArray(value)
      ? parts.map(([, part]) => part.value)
      : Object.fromEntries(parts.map(([key, part]) => [key, part.value]));
    return { value: whole, size };
  };
  const ids = Object.keys(stored).map(Number);
  for (const id of ids.toSorted((one, other) => one - other)) values.set(id, put(stored[id] ?? null, id));

  const take = ({ value, size }: { value: Plain; size: number }): Plain => {
    spent += size;
    if (spent > MAX_UNPACKED_SIZE) throw new RangeError(`The values exceed ${MAX_UNPACKED_SIZE} characters`);
    return value;
  };
  return {
    at: (id) => {
      const known = typeof id === 'number' ? values.get(id) : undefined;
      if (!known) throw new RangeError(`The table has no value ${JSON.stringify(id)}`);
      return take(known);
    },
    unpack: (packed) => take(put(packed, Infinity)),
  };
};
