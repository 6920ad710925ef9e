// For builds that include this file without its folder; ambient declarations cannot be imported.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./foliate.d.ts" />
import { TOCProgress } from 'foliate-js/progress.js';
import { createBookProgress, type BookProgress } from './book-progress.ts';
import type { BookTarget } from './book-target.ts';
import { decode } from './decode-url.ts';
import { createNameFinder } from './loose-names.ts';
import { createPageFinder, type PrintedPage } from './page-list.ts';
import { toContentsEntries, type Archive, type Link, type WebPublication } from './web-publication.ts';
import { toProblem, type Problem } from '../../machines/model/problem.ts';
import type { ContentsEntry } from '../../machines/model/reading/reading.ts';

/**
 * A book in the form that the renderers expect, with look-ups between its addresses and section
 * numbers.
 */
export type FoliateBook = Foliate.Book & {
  links: readonly Link[];
  contents: ContentsEntry[];
  progress: BookProgress;
  fixed: boolean;
  /** Whether its pages are loaded from the browser's memory, without a server. */
  isInMemory: boolean;
  /** The target of an address relative to the book, or null when it is outside of it. */
  findTarget: (href: string) => BookTarget | null;
  /**
   * Converts an absolute address to one relative to the book, also under a base that has expired;
   * null for an address outside of the book.
   */
  toRelative: (address: string) => string | null;
  /** The current absolute address of a file, by its address relative to the book. */
  toAbsolute: (path: string) => string;
  /** Changes the base of all files' addresses; `base` ends with a slash. */
  setBase: (base: string) => void;
  /** The next or previous section in reading order; null at the end in that direction. */
  getNeighbour: (index: number, direction: 'next' | 'previous') => number | null;
  /** The section of a page's address; null for any other address. */
  findSection: (address: string) => number | null;
  /** The name of the chapter at a place; empty without one. */
  getLabel: (index: number, range: Range | null) => string;
  /** The page at a place, as numbered in the printed edition, or by its order in a fixed layout. */
  getPage: (index: number, range: Range | null) => PrintedPage | null;
};

/**
 * A server's sections have plain addresses of our own origin, so that the policy (CSP) of each
 * answer blocks its scripts; sections of an archive have a policy in the page (`sandboxPage`).
 */
export const createFoliateBook = async ({ base, manifest, counts, archive }: WebPublication): Promise<FoliateBook> => {
  const bases = [base];
  const toAbsolute = (path: string) => `${bases.at(-1) ?? base}${path}`;
  const { metadata, readingOrder, resources, toc } = manifest;
  const fixed = metadata.layout === 'fixed';
  const linearLinks = new Set(readingOrder);
  // Non-linear items keep their position in the spine, for links to them; page turns skip them.
  const links = [...readingOrder, ...resources.filter(({ properties }) => properties.spineIndex !== undefined)].toSorted(
    (a, b) => (a.properties.spineIndex ?? 0) - (b.properties.spineIndex ?? 0),
  );
  const findSectionIndex = createNameFinder(links.map(({ href }, index) => [decode(href), index]));
  const contents = toContentsEntries(toc);
  const getPath = (link: Link) => `${needsPage(link, fixed) ? '~page/' : ''}${link.href}`;
  const toRelative = (address: string) => {
    const matchingBase = bases.find((each) => address.startsWith(each));
    return matchingBase === undefined ? null : address.slice(matchingBase.length);
  };
  /** The in-memory addresses of pages from an archive, with their sections. */
  const memoryAddresses = new Map<string, number>();
  const loadFromArchive = async ({ load }: Archive, index: number, { href }: Link): Promise<string> => {
    const address = await load(href).catch((error: unknown) => createErrorPage(toProblem(error)));
    memoryAddresses.set(address, index);
    return address;
  };
  const chapters = new TOCProgress();
  await chapters.init({
    toc: toItems(contents),
    ids: links.map(({ href }) => href),
    splitHref: (href) => {
      const [path = '', ...fragment] = href?.split('#') ?? [];
      return [links[findSectionIndex(decode(path)) ?? -1]?.href ?? path, ...fragment];
    },
    getFragment: findFragment,
  });
  const findPrintedPage = createPageFinder(manifest.pageList, (href) => {
    const [path = '', fragment = ''] = href.split('#', 2);
    const index = findSectionIndex(decode(path));
    return index === undefined
      ? null
      : { index, find: (doc) => (fragment === '' ? doc.documentElement : findFragment(doc, fragment)) };
  });
  const getFixedPage = (index: number): PrintedPage | null => {
    const nth = readingOrder.indexOf(links[index] as Link);
    return fixed && nth >= 0 ? { page: String(nth + 1), lastPage: String(readingOrder.length) } : null;
  };
  return {
    dir: metadata.readingProgression,
    rendition: { spread: metadata.presentation.spread },
    sections: links.map((link, index) => ({
      ...(archive === undefined
        ? { load: () => toAbsolute(getPath(link)) }
        : { load: () => loadFromArchive(archive, index, link), unload: () => archive.unload(link.href) }),
      ...(linearLinks.has(link) ? {} : { linear: 'no' }),
      pageSpread: link.properties.page,
    })),
    links,
    contents,
    progress: createBookProgress(links.map((link) => (linearLinks.has(link) ? (counts.get(link.href) ?? 1) : 0))),
    fixed,
    isInMemory: archive !== undefined,
    findTarget: (href) => {
      const [path = '', fragment = ''] = href.split('#', 2);
      const index = findSectionIndex(decode(path));
      return index === undefined ? null : { index, anchor: (doc) => findFragment(doc, fragment) ?? 0 };
    },
    toRelative,
    toAbsolute,
    findSection: (address) => {
      const path = toRelative(address);
      const index = links.findIndex((link) => path === getPath(link));
      return memoryAddresses.get(address) ?? (index < 0 ? null : index);
    },
    setBase: (next) => {
      if (!bases.includes(next)) bases.push(next);
    },
    getNeighbour: (index, direction) => {
      const linearIndexes = links.flatMap((link, nth) => (linearLinks.has(link) ? [nth] : []));
      const neighbour =
        direction === 'next' ? linearIndexes.find((nth) => nth > index) : linearIndexes.findLast((nth) => nth < index);
      return neighbour ?? null;
    },
    getLabel: (index, range) => chapters.getProgress(index, range)?.label ?? '',
    getPage: findPrintedPage ?? getFixedPage,
  };
};

/**
 * Whether a file needs a page around it: a picture has no body to lay out; a fixed layout accepts a
 * plain SVG drawing.
 */
const needsPage = ({ type }: Link, fixed: boolean): boolean => type.startsWith('image/') && !(fixed && type.includes('svg'));

const toItems = (entries: readonly ContentsEntry[]): Foliate.ContentsItem[] =>
  entries.map(({ title, href, children }) => ({ label: title, href, subitems: children.length > 0 ? toItems(children) : null }));

/** The address of a page that contains the reason for a failure, in the server's error format. */
const createErrorPage = (problem: Problem): string => {
  const code = problem.kind === 'refused' ? problem.code : 'broken_book';
  const document = { error: 'The page cannot be read.', code, status: 422 };
  return URL.createObjectURL(new Blob([JSON.stringify(document)], { type: 'application/json' }));
};

const findFragment = (doc: Document, fragment: string | undefined): Element | null => {
  if (fragment === undefined || fragment === '') return null;
  const id = decode(fragment);
  return doc.getElementById(id) ?? doc.querySelector(`[name="${CSS.escape(id)}"]`);
};
