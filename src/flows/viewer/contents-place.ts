import type { ContentsEntry, Locator } from '../../../machines/model/reading.ts';

const fileOf = (href: string): string => href.split('#')[0] ?? href;

const flat = (entries: ContentsEntry[]): ContentsEntry[] => entries.flatMap((entry) => [entry, ...flat(entry.children)]);

/**
 * The entry that the reader is in: the one of the locator's own address, else the one of its chapter name in the same
 * file, else the file's first one; null when the contents know nothing of the place.
 */
export const entryAt = (contents: ContentsEntry[], locator: Locator | null): ContentsEntry | null => {
  if (locator === null) return null;
  const entries = flat(contents);
  const inFile = entries.filter((entry) => fileOf(entry.href) === fileOf(locator.href));
  return (
    inFile.find((entry) => entry.title === locator.label) ??
    entries.find((entry) => entry.href === locator.href) ??
    inFile[0] ??
    null
  );
};
