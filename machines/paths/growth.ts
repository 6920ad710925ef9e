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

const getMaxSizes = (contexts: unknown[]): Sizes => {
  const maxima: Sizes = new Map();
  for (const context of contexts) {
    for (const [path, size] of measure(context, '', new Map())) maxima.set(path, Math.max(size, maxima.get(path) ?? 0));
  }
  return maxima;
};

/** A context, and the number of steps from the start at which it was found. */
export type ReachedContext = { context: unknown; depth: number };

/**
 * The key paths of contexts, such as `pii.history`, that keep growing: their maximum in the second
 * half of the steps exceeds the maximum in the first half. Other values reach their maximum early.
 * Texts are measured by length, lists by the length of their JSON, objects by number of keys,
 * numbers by absolute value.
 */
export const findGrowingKeys = (reached: ReachedContext[]): string[] => {
  const half = Math.max(...reached.map(({ depth }) => depth)) / 2;
  const earlyMaxima = getMaxSizes(reached.filter(({ depth }) => depth <= half).map(({ context }) => context));
  const lateMaxima = getMaxSizes(reached.filter(({ depth }) => depth > half).map(({ context }) => context));
  return [...lateMaxima]
    .filter(([path, size]) => earlyMaxima.has(path) && size > (earlyMaxima.get(path) ?? 0))
    .map(([path]) => path);
};
