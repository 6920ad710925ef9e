// For programs that take in this file without its folder; an ambient declaration cannot be imported.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./foliate.d.ts" />
import { TOCProgress } from 'foliate-js/progress.js';
import { bookProgress, type BookProgress } from './book-progress.ts';
import type { BookTarget } from './book-target.ts';
import { decoded } from './decoded.ts';
import { findByName } from './loose-names.ts';
import { pageList, type PageName } from './page-list.ts';
import { contentsOf, type Archive, type Link, type WebPublication } from './web-publication.ts';
import { problemOf, type Problem } from '../../machines/model/problem.ts';
import type { ContentsEntry } from '../../machines/model/reading/reading.ts';

/** A book as the renderers want it, with the look-ups between its addresses and their section numbers. */
export type FoliateBook = Foliate.Book & {
  links: readonly Link[];
  contents: ContentsEntry[];
  progress: BookProgress;
  fixed: boolean;
  /** Its pages come out of the browser's memory: no server is needed for another one. */
  isInMemory: boolean;
  /** Where an address relative to the book leads, or null when out of it. */
  find: (href: string) => BookTarget | null;
  /** An absolute address as one relative to the book, or null when it leads out of it; a page's own may have expired since. */
  relative: (address: string) => string | null;
  /** Where a file of the book is at present, by its address relative to the book. */
  absolute: (inside: string) => string;
  /** Its files are elsewhere from now on; `base` ends with a slash. */
  moveTo: (base: string) => void;
  /** The section before or after another that pages turn to; null when there is none. */
  beside: (index: number, direction: 'next' | 'previous') => number | null;
  /** The section that a page shows, by the page's address; null when it shows none. */
  sectionAt: (address: string) => number | null;
  /** The chapter's name at a place. */
  label: (index: number, range: Range | null) => string;
  /** The page at a place, as the printed edition counts, or by its order in a fixed layout. */
  page: (index: number, range: Range | null) => PageName | null;
};

/** Sections are plain addresses of our own origin, never files: the policy on each answer is what contains its scripts. */
export const makeFoliateBook = async ({ base, manifest, counts, archive }: WebPublication): Promise<FoliateBook> => {
  const bases = [base];
  const absolute = (inside: string) => `${bases.at(-1) ?? base}${inside}`;
  const { metadata, readingOrder, resources, toc } = manifest;
  const fixed = metadata.layout === 'fixed';
  const ordered = new Set(readingOrder);
  // Side matter keeps its place in the spine, for links into it, but pages do not turn into it.
  const links = [...readingOrder, ...resources.filter(({ properties }) => properties.spineIndex !== undefined)].toSorted(
    (a, b) => (a.properties.spineIndex ?? 0) - (b.properties.spineIndex ?? 0),
  );
  const indexOf = findByName(links.map(({ href }, index) => [decoded(href), index]));
  const contents = contentsOf(toc);
  const pathOf = (link: Link) => `${needsPage(link, fixed) ? '~page/' : ''}${link.href}`;
  const relative = (address: string) => {
    const from = bases.find((one) => address.startsWith(one));
    return from === undefined ? null : address.slice(from.length);
  };
  /** Where the pages out of an archive are in memory. */
  const inMemory = new Map<string, number>();
  const fromArchive = async ({ load }: Archive, index: number, { href }: Link): Promise<string> => {
    const address = await load(href).catch((error: unknown) => refusalOf(problemOf(error)));
    inMemory.set(address, index);
    return address;
  };
  const chapters = new TOCProgress();
  await chapters.init({
    toc: toItems(contents),
    ids: links.map(({ href }) => href),
    splitHref: (href) => {
      const [path = '', ...fragment] = href?.split('#') ?? [];
      return [links[indexOf(decoded(path)) ?? -1]?.href ?? path, ...fragment];
    },
    getFragment: fragmentIn,
  });
  const printed = pageList(manifest.pageList, (href) => {
    const [path = '', fragment = ''] = href.split('#', 2);
    const index = indexOf(decoded(path));
    return index === undefined
      ? null
      : { index, find: (doc) => (fragment === '' ? doc.documentElement : fragmentIn(doc, fragment)) };
  });
  const fixedPage = (index: number): PageName | null => {
    const nth = readingOrder.indexOf(links[index] as Link);
    return fixed && nth >= 0 ? { page: String(nth + 1), lastPage: String(readingOrder.length) } : null;
  };
  return {
    dir: metadata.readingProgression,
    rendition: { spread: metadata.presentation.spread },
    sections: links.map((link, index) => ({
      ...(archive === undefined
        ? { load: () => absolute(pathOf(link)) }
        : { load: () => fromArchive(archive, index, link), unload: () => archive.unload(link.href) }),
      ...(ordered.has(link) ? {} : { linear: 'no' }),
      pageSpread: link.properties.page,
    })),
    links,
    contents,
    progress: bookProgress(links.map((link) => (ordered.has(link) ? (counts.get(link.href) ?? 1) : 0))),
    fixed,
    isInMemory: archive !== undefined,
    find: (href) => {
      const [path = '', fragment = ''] = href.split('#', 2);
      const index = indexOf(decoded(path));
      return index === undefined ? null : { index, anchor: (doc) => fragmentIn(doc, fragment) ?? 0 };
    },
    relative,
    absolute,
    sectionAt: (address) => {
      const path = relative(address);
      const shown = links.findIndex((link) => path === pathOf(link));
      return inMemory.get(address) ?? (shown < 0 ? null : shown);
    },
    moveTo: (next) => {
      if (!bases.includes(next)) bases.push(next);
    },
    beside: (index, direction) => {
      const inOrder = links.flatMap((link, nth) => (ordered.has(link) ? [nth] : []));
      const found = direction === 'next' ? inOrder.find((nth) => nth > index) : inOrder.findLast((nth) => nth < index);
      return found ?? null;
    },
    label: (index, range) => chapters.getProgress(index, range)?.label ?? '',
    page: printed ?? fixedPage,
  };
};

/** A picture by itself has no body to lay out; only a fixed layout takes a drawing as it is. */
const needsPage = ({ type }: Link, fixed: boolean): boolean => type.startsWith('image/') && !(fixed && type.includes('svg'));

const toItems = (entries: readonly ContentsEntry[]): Foliate.ContentsItem[] =>
  entries.map(({ title, href, children }) => ({ label: title, href, subitems: children.length > 0 ? toItems(children) : null }));

/** The address of a page that says why another does not come, as a server would. */
const refusalOf = (problem: Problem): string => {
  const code = problem.kind === 'refused' ? problem.code : 'broken_book';
  const document = { error: 'The page cannot be read.', code, status: 422 };
  return URL.createObjectURL(new Blob([JSON.stringify(document)], { type: 'application/json' }));
};

const fragmentIn = (doc: Document, fragment: string | undefined): Element | null => {
  if (fragment === undefined || fragment === '') return null;
  const id = decoded(fragment);
  return doc.getElementById(id) ?? doc.querySelector(`[name="${CSS.escape(id)}"]`);
};
