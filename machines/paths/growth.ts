type Sizes = Map<string, number>;

const measure = (value: unknown, path: string, sizes: Sizes): Sizes => {
  if (typeof value === 'number') return sizes.set(path, Math.abs(value));
  if (typeof value === 'string') return sizes.set(path, value.length);
  if (Array.isArray(value)) return sizes.set(path, JSON.stringify(value).length);
  if (typeof value !== 'object' || value === null) return sizes.set(path, 0);
  if (path !== '') sizes.set(path, Object.keys(value).length);
  for (const [key, part] of Object.entries(value)) measure(part, path === '' ? key : `${path}.${key}`, sizes);
  return sizes;
};

const maxSizes = (contexts: unknown[]): Sizes => {
  const all: Sizes = new Map();
  for (const context of contexts) {
    for (const [path, size] of measure(context, '', new Map())) all.set(path, Math.max(size, all.get(path) ?? 0));
  }
  return all;
};

/** A context, and the number of steps from the start at which it was found. */
export type Growth = { context: unknown; depth: number };

/**
 * The key paths, such as `pii.history`, that keep growing: their maximum in the later half of the
 * steps exceeds that in the first half. A value that only changes has reached its maximum early.
 * Texts and lists are measured by length, objects by number of keys, numbers by absolute value.
 */
export const findGrowing = (found: Growth[]): string[] => {
  const half = Math.max(...found.map(({ depth }) => depth)) / 2;
  const early = maxSizes(found.filter(({ depth }) => depth <= half).map(({ context }) => context));
  const late = maxSizes(found.filter(({ depth }) => depth > half).map(({ context }) => context));
  return [...late].filter(([path, size]) => early.has(path) && size > (early.get(path) ?? 0)).map(([path]) => path);
};
