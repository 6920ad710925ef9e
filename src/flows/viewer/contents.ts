import type { ContentsEntry, Locator } from '../../../machines/model/reading/reading.ts';
import type { TreeEntry } from '../../ui/parts/Tree.tsx';

/** An entry and its place: `2.0` is the first one in the third. */
type Placed = ContentsEntry & { place: string };

const placed = (entries: readonly ContentsEntry[], within = ''): Placed[] =>
  entries.flatMap((entry, at) => {
    const place = `${within}${at}`;
    return [{ ...entry, place }, ...placed(entry.children, `${place}.`)];
  });

const fileOf = (href: string): string => href.split('#')[0] ?? href;

/**
 * The place of the entry that the reader is in: the one of its chapter name in the same file, else
 * the one of the locator's own address, else the file's first one. Null where none fits.
 */
export const currentPlace = (contents: readonly ContentsEntry[], locator: Locator | null): string | null => {
  if (locator === null) return null;
  const entries = placed(contents);
  const inFile = entries.filter((entry) => fileOf(entry.href) === fileOf(locator.href));
  const current =
    inFile.find((entry) => entry.title === locator.label) ?? entries.find((entry) => entry.href === locator.href) ?? inFile[0];
  return current?.place ?? null;
};

/** The places of the entries around one, from the outside in. */
export const placesAround = (place: string): string[] => {
  const numbers = place.split('.');
  return numbers.slice(1).map((_, at) => numbers.slice(0, at + 1).join('.'));
};

export const hrefAt = (contents: readonly ContentsEntry[], place: string): string | null =>
  placed(contents).find((entry) => entry.place === place)?.href ?? null;

/** The contents as a tree, its entries known by their places: two may have one address. */
export const treeOf = (entries: readonly ContentsEntry[], within = ''): TreeEntry[] =>
  entries.map(({ title, children }, at) => {
    const value = `${within}${at}`;
    return { value, name: title, children: treeOf(children, `${value}.`) };
  });
