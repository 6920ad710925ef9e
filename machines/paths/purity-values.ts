const isPlainObject = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

const nameOfClass = (value: object): string => {
  if ('sessionId' in value && 'send' in value) return 'an actor';
  const { constructor } = value;
  return typeof constructor === 'function' ? `an instance of ${constructor.name}` : 'an object of its own kind';
};

const wrongIn = (value: unknown): string | null => {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : String(value);
  if (typeof value !== 'object') return value === undefined ? 'undefined' : `a ${typeof value}`;
  return Array.isArray(value) || isPlainObject(value) ? null : nameOfClass(value);
};

/** What was frozen to the bottom, and of that what was found plain: neither can change any more. */
const whole = new WeakSet<object>();
const plain = new WeakSet<object>();

/** Freezes plain objects and lists to the bottom; what is of a class is left as it is. */
export const deepFrozen = <T>(value: T): T => {
  if ((!Array.isArray(value) && !isPlainObject(value)) || whole.has(value)) return value;
  whole.add(Object.freeze(value));
  for (const part of Object.values(value)) deepFrozen(part);
  return value;
};

/** What JSON cannot carry: the path to it, as in `.lines.0.bought` (empty for the value itself), and what stands there. */
export type NotPlain = { path: string; is: string };

/** Every place in a value where something stands that JSON does not give back as it was. */
export const notPlainIn = (value: unknown, path = '', above: readonly unknown[] = []): NotPlain[] => {
  const wrong = wrongIn(value);
  if (wrong !== null) return [{ path, is: wrong }];
  if (typeof value !== 'object' || value === null || plain.has(value)) return [];
  if (above.includes(value)) return [{ path, is: 'a circle' }];
  // `Array.from` fills the holes of a list, which JSON turns into null.
  const parts = Array.isArray(value) ? Array.from(value as unknown[]).entries() : Object.entries(value);
  const found = [...parts].flatMap(([key, part]) => notPlainIn(part, `${path}.${key}`, [...above, value]));
  if (found.length === 0 && whole.has(value)) plain.add(value);
  return found;
};

/**
 * Makes frozen copies that call `read` when anything looks at a `pii` in them, at any depth; whether one is there or not.
 * What is looked at is given all the same. The same object has the same copy.
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
