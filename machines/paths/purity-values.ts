const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const describeClass = (value: object): string => {
  if ('sessionId' in value && 'send' in value) return 'an actor';
  const { constructor } = value;
  return typeof constructor === 'function' ? `an instance of ${constructor.name}` : 'an object of its own kind';
};

const findFault = (value: unknown): string | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Array.isArray(value) || isPlainObject(value) ? null : describeClass(value);
};

/** Cache of the values that `deepFreeze` has frozen. */
const frozenValues = new WeakSet<object>();
/** Cache of the frozen values that `findNonPlain` found to be plain, which they therefore stay. */
const plainValues = new WeakSet<object>();

/** Freezes plain objects and lists deeply; class instances remain unchanged. */
export const deepFreeze = <T>(value: T): T => {
  if ((!Array.isArray(value) && !isPlainObject(value)) || frozenValues.has(value)) return value;
  frozenValues.add(Object.freeze(value));
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
};

/**
 * A value that JSON cannot represent: its path, as in `.lines.0.bought` (empty for the root), and
 * its description, such as `undefined` or `an actor`.
 */
export type NonPlainValue = { path: string; is: string };

/** The values at any depth of a value that a JSON round trip would not preserve. */
export const findNonPlain = (value: unknown, path = '', ancestors: readonly unknown[] = []): NonPlainValue[] => {
  const fault = findFault(value);
  if (fault !== null) return [{ path, is: fault }];
  if (typeof value !== 'object' || value === null || plainValues.has(value)) return [];
  if (ancestors.includes(value)) return [{ path, is: 'a circular reference' }];
  // `Array.from` fills the holes of a list, which JSON turns into null.
  const parts = Array.isArray(value) ? Array.from(value as unknown[]).entries() : Object.entries(value);
  const nonPlainValues = [...parts].flatMap(([key, part]) => findNonPlain(part, `${path}.${key}`, [...ancestors, value]));
  if (nonPlainValues.length === 0 && frozenValues.has(value)) plainValues.add(value);
  return nonPlainValues;
};

/**
 * Returns a function that makes frozen copies of values. A copy calls `onRead` whenever a `pii` key
 * in it is read, at any depth, whether or not the key exists; the read still returns the value. The
 * same object always gets the same copy.
 */
export const createPiiProbes = (onRead: () => void): ((value: unknown) => unknown) => {
  const copies = new WeakMap<object, object>();
  const probe = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    const cachedCopy = copies.get(value);
    if (cachedCopy) return cachedCopy;
    const copy: object = Array.isArray(value) ? [] : {};
    copies.set(value, copy).set(copy, copy);
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'pii') Object.defineProperty(copy, key, { value: probe(part), enumerable: true });
    }
    const pii: unknown = 'pii' in value ? value.pii : undefined;
    const get = () => {
      onRead();
      return probe(pii);
    };
    Object.defineProperty(copy, 'pii', { get, enumerable: 'pii' in value });
    return Object.freeze(copy);
  };
  return probe;
};
