const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const getClassName = (value: object): string => {
  if ('sessionId' in value && 'send' in value) return 'an actor';
  const { constructor } = value;
  return typeof constructor === 'function' ? `an instance of ${constructor.name}` : 'an object of its own kind';
};

const findFault = (value: unknown): string | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Array.isArray(value) || isPlainObject(value) ? null : getClassName(value);
};

/**
 * Values that are deeply frozen, and those of them found to be plain: neither can change any more.
 */
const frozenValues = new WeakSet<object>();
const plainValues = new WeakSet<object>();

/** Freezes plain objects and lists deeply; class instances are left unchanged. */
export const deepFreeze = <T>(value: T): T => {
  if ((!Array.isArray(value) && !isPlainObject(value)) || frozenValues.has(value)) return value;
  frozenValues.add(Object.freeze(value));
  for (const part of Object.values(value)) deepFreeze(part);
  return value;
};

/**
 * A value that JSON cannot represent: its path, as in `.lines.0.bought` (empty for the root), and a
 * description of it.
 */
export type NonPlainValue = { path: string; is: string };

/** Every place in a value that a JSON round trip would not preserve. */
export const findNonPlain = (value: unknown, path = '', above: readonly unknown[] = []): NonPlainValue[] => {
  const wrong = findFault(value);
  if (wrong !== null) return [{ path, is: wrong }];
  if (typeof value !== 'object' || value === null || plainValues.has(value)) return [];
  if (above.includes(value)) return [{ path, is: 'a circular reference' }];
  // `Array.from` fills the holes of a list, which JSON turns into null.
  const parts = Array.isArray(value) ? Array.from(value as unknown[]).entries() : Object.entries(value);
  const found = [...parts].flatMap(([key, part]) => findNonPlain(part, `${path}.${key}`, [...above, value]));
  if (found.length === 0 && frozenValues.has(value)) plainValues.add(value);
  return found;
};

/**
 * Creates frozen copies that call `read` whenever a `pii` key in them is read, at any depth,
 * whether or not it exists. The read still returns the value. The same object always has the same
 * copy.
 */
export const createPiiProbes = (read: () => void): ((value: unknown) => unknown) => {
  const copies = new WeakMap<object, object>();
  const probed = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isPlainObject(value)) return value;
    const known = copies.get(value);
    if (known) return known;
    const copy: object = Array.isArray(value) ? [] : {};
    copies.set(value, copy).set(copy, copy);
    for (const [key, part] of Object.entries(value)) {
      if (key !== 'pii') Object.defineProperty(copy, key, { value: probed(part), enumerable: true });
    }
    const pii: unknown = 'pii' in value ? value.pii : undefined;
    const get = () => {
      read();
      return probed(pii);
    };
    Object.defineProperty(copy, 'pii', { get, enumerable: 'pii' in value });
    return Object.freeze(copy);
  };
  return probed;
};
