import { decode } from './decode-url.ts';

/** Packaging tools escape a name once or twice, or change its case, slashes and accents. */
const normalizeName = (name: string): string => decode(decode(name)).replaceAll('\\', '/').normalize('NFC').toLowerCase();

/** Finds a value by its exact name, else by an equivalent spelling. */
export const createNameFinder = <Value>(
  entries: readonly (readonly [string, Value])[],
): ((name: string) => Value | undefined) => {
  const exact = new Map(entries);
  const loose = new Map(entries.map(([name, value]) => [normalizeName(name), value]));
  return (name) => exact.get(name) ?? loose.get(normalizeName(name));
};
