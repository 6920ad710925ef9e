import type { ContentsEntry, Locator } from '../../../machines/model/reading/reading.ts';
import type { TreeEntry } from '../../ui/parts/Tree.tsx';

/**
 * An entry and its path of indexes, counted from 0: `2.0` is the first child of the third entry.
 */
type EntryWithPath = ContentsEntry & { path: string };

const flattenEntries = (entries: readonly ContentsEntry[], prefix = ''): EntryWithPath[] =>
  entries.flatMap((entry, index) => {
    const path = `${prefix}${index}`;
    return [{ ...entry, path }, ...flattenEntries(entry.children, `${path}.`)];
  });

const getFile = (href: string): string => href.split('#')[0] ?? href;

/**
 * The path of the current entry: of the one with the locator's chapter name in the same file, else
 * of the one with the locator's href, else of the file's first one. Null if no entry matches.
 */
export const findCurrentPath = (contents: readonly ContentsEntry[], locator: Locator | null): string | null => {
  if (locator === null) return null;
  const entries = flattenEntries(contents);
  const entriesInFile = entries.filter((entry) => getFile(entry.href) === getFile(locator.href));
  const current =
    entriesInFile.find((entry) => entry.title === locator.label) ??
    entries.find((entry) => entry.href === locator.href) ??
    entriesInFile[0];
  return current?.path ?? null;
};

/** The paths of an entry's ancestors, the topmost first. */
export const getAncestorPaths = (path: string): string[] => {
  const numbers = path.split('.');
  return numbers.slice(1).map((_, index) => numbers.slice(0, index + 1).join('.'));
};

export const findHref = (contents: readonly ContentsEntry[], path: string): string | null =>
  flattenEntries(contents).find((entry) => entry.path === path)?.href ?? null;

/**
 * The contents as a tree; entries are identified by their paths, since two may have the same href.
 */
export const toTree = (entries: readonly ContentsEntry[], prefix = ''): TreeEntry[] =>
  entries.map(({ title, children }, index) => {
    const value = `${prefix}${index}`;
    return { value, name: title, children: toTree(children, `${value}.`) };
  });
