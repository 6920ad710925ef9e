import type { ContentsEntry, Locator } from '../../../machines/model/reading/reading.ts';
import type { TreeEntry } from '../../ui/parts/Tree.tsx';

/** An entry and its path of indexes: `2.0` is the first one in the third. */
type PlacedEntry = ContentsEntry & { place: string };

const flattenEntries = (entries: readonly ContentsEntry[], within = ''): PlacedEntry[] =>
  entries.flatMap((entry, at) => {
    const place = `${within}${at}`;
    return [{ ...entry, place }, ...flattenEntries(entry.children, `${place}.`)];
  });

const getFile = (href: string): string => href.split('#')[0] ?? href;

/**
 * The current entry's place: the entry of the locator's chapter name in the same file, else of its
 * own address, else the file's first one. Null where none fits.
 */
export const findCurrentPlace = (contents: readonly ContentsEntry[], locator: Locator | null): string | null => {
  if (locator === null) return null;
  const entries = flattenEntries(contents);
  const inFile = entries.filter((entry) => getFile(entry.href) === getFile(locator.href));
  const current =
    inFile.find((entry) => entry.title === locator.label) ?? entries.find((entry) => entry.href === locator.href) ?? inFile[0];
  return current?.place ?? null;
};

/** The places of an entry's ancestors, from the outside in. */
export const getParentPlaces = (place: string): string[] => {
  const numbers = place.split('.');
  return numbers.slice(1).map((_, at) => numbers.slice(0, at + 1).join('.'));
};

export const findHref = (contents: readonly ContentsEntry[], place: string): string | null =>
  flattenEntries(contents).find((entry) => entry.place === place)?.href ?? null;

/**
 * The contents as a tree; entries are identified by their places, since two may have the same
 * address.
 */
export const toTree = (entries: readonly ContentsEntry[], within = ''): TreeEntry[] =>
  entries.map(({ title, children }, at) => {
    const value = `${within}${at}`;
    return { value, name: title, children: toTree(children, `${value}.`) };
  });
