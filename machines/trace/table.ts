import type { Plain } from './format.ts';

/** Characters of packed JSON from which a value stands in the table, and a reference in its place. */
const longestInPlace = 60;

/** A reference to a value of the table; a key of data that looks like one has one more `$`. */
const referenceKey = '$at';
const likeReference = /^\$+at$/;

type Entry = { text: string; uses: readonly number[] };

/**
 * The values that a record's runs share, each written once: names of actors and events, answers of the server, and what of
 * them comes again in contexts. A value holds references only to those with a smaller number.
 */
export type Table = {
  /** The number of a value, which is put into the table unless it is there. */
  put: (value: Plain) => number;
  /** The value with references in place of its longer parts, which are put into the table. */
  pack: (value: Plain) => Plain;
  /** The same with nothing put into the table; undefined when a longer part is not there. */
  find: (value: Plain) => Plain | undefined;
  /** The same three, and what they gave a number to: it is added to `used`, with what stands within it. */
  counting: (used: Set<number>) => Pick<Table, 'put' | 'pack' | 'find'>;
  /** Characters that all values take. */
  size: () => number;
  /** Characters that these values take. */
  sizeOf: (ids: Iterable<number>) => number;
  /** Forgets all values but these. */
  keep: (ids: ReadonlySet<number>) => void;
  /** The values as the text of a JSON object. */
  json: (ids: ReadonlySet<number>) => string;
};

const isObject = (value: Plain): value is Plain[] | { [key: string]: Plain } => typeof value === 'object' && value !== null;

const referenceTo = (id: number): Plain => ({ [referenceKey]: id });

/** The number that a reference holds; null for any other value. */
const referred = (value: Plain): number | null => {
  if (!isObject(value) || Array.isArray(value)) return null;
  const id = value[referenceKey];
  return typeof id === 'number' ? id : null;
};

const partsOf = (value: Plain): Plain[] => (isObject(value) ? Object.values(value) : []);

const referencesIn = (packed: Plain): number[] => {
  const id = referred(packed);
  return id === null ? partsOf(packed).flatMap(referencesIn) : [id];
};

/** Values that were stored before, by their numbers. */
export type Stored = Readonly<Record<string, Plain>>;

export const createTable = (stored: Stored = {}): Table => {
  const entries = new Map<number, Entry>();
  const ids = new Map<string, number>();
  let last = -1;

  let size = 0;

  const sizeOf = (id: number, { text }: Entry): number => text.length + String(id).length + 4;

  const enter = (id: number, packed: Plain, text = JSON.stringify(packed)): number => {
    const entry = { text, uses: referencesIn(packed) };
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
      likeReference.test(key) ? `$${key}` : key,
      replaced(part, mayEnter),
    ]);
    if (parts.some(([, part]) => part === undefined)) return undefined;
    return Array.isArray(value) ? parts.map(([, part]) => part ?? null) : (Object.fromEntries(parts) as Plain);
  };
  /** Undefined for a value that is not in the table and may not enter it. */
  const replaced = (value: Plain, mayEnter: boolean): Plain | undefined => {
    const packed = inside(value, mayEnter);
    if (packed === undefined || !(isObject(packed) || typeof packed === 'string')) return packed;
    const text = JSON.stringify(packed);
    if (text.length <= longestInPlace) return packed;
    const id = ids.get(text) ?? (mayEnter ? enter(last + 1, packed, text) : undefined);
    return id === undefined ? undefined : referenceTo(id);
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
        if (packed !== undefined) for (const id of referencesIn(packed)) collect(id, used);
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

/** Characters that all values which are put back may come to: a made-up record must not fill the memory. */
const most = 40_000_000;

/**
 * Puts values back in the place of references.
 * @throws RangeError where a reference leads nowhere, or to a value that is not before the one that it stands in, or where
 * all together would be too large
 */
export const reader = (stored: Stored): { at: (id: unknown) => Plain; unpack: (packed: Plain) => Plain } => {
  const values = new Map<number, { value: Plain; size: number }>();
  let spent = 0;

  const put = (value: Plain, below: number): { value: Plain; size: number } => {
    const id = referred(value);
    if (id !== null) {
      const known = values.get(id);
      if (id >= below || !known) throw new RangeError(`There is no value ${id}`);
      return known;
    }
    if (!isObject(value)) return { value, size: typeof value === 'string' ? value.length : 8 };
    const parts = Object.entries(value).map(([key, part]): [string, { value: Plain; size: number }] => [
      likeReference.test(key) ? key.slice(1) : key,
      put(part, below),
    ]);
    const size = parts.reduce((sum, [key, part]) => sum + key.length + part.size, 2);
    if (size > most) throw new RangeError('Its values are too large');
    const whole = Array.isArray(value)
      ? parts.map(([, part]) => part.value)
      : Object.fromEntries(parts.map(([key, part]) => [key, part.value]));
    return { value: whole, size };
  };
  const ids = Object.keys(stored).map(Number);
  for (const id of ids.toSorted((one, other) => one - other)) values.set(id, put(stored[id] ?? null, id));

  const take = ({ value, size }: { value: Plain; size: number }): Plain => {
    spent += size;
    if (spent > most) throw new RangeError('Its values are too large');
    return value;
  };
  return {
    at: (id) => {
      const known = typeof id === 'number' ? values.get(id) : undefined;
      if (!known) throw new RangeError(`There is no value ${JSON.stringify(id)}`);
      return take(known);
    },
    unpack: (packed) => take(put(packed, Infinity)),
  };
};
