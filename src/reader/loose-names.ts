import { decode } from './decode-url.ts';

/** Packaging tools escape a name once or twice, or change its case, slashes and accents. */
const normalizeName = (name: string): string => decode(decode(name)).replaceAll('\\', '/').normalize('NFC').toLowerCase();

/** Finds a value by its exact name, else by an equivalent spelling. */
export const createNameFinder = <Value>(
  entries: readonly (readonly [string, Value])[],
): ((name: string) => Value | undefined) => {
  const byExactName = new Map(entries);
  const byLooseName = new Map(entries.map(([name, value]) => [normalizeName(name), value]));
  return (name) => byExactName.get(name) ?? byLooseName.get(normalizeName(name));
};
