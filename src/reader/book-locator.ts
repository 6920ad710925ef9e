import * as CFI from 'foliate-js/epubcfi.js';
import type { Locator, PageCount } from '../../machines/model/reading/reading.ts';
import type { BookTarget } from './book-target.ts';
import type { FoliateBook } from './foliate-book.ts';
import { marksText } from './marks-text.ts';

/**
 * The pages that the renderer shows: the first section in view and where in it, whether nothing
 * lies behind, and the screens that follow in the section, null where they are not laid out
 * together.
 */
export type Shown = { index: number; fraction: number; range: Range | null; atEnd: boolean; pagesLeft: number | null };

/** The place that is shown, in words that outlive this renderer: address, share of the item and of the book, CFI. */
export const locatorOf = (book: FoliateBook, { index, fraction, range, atEnd }: Shown): Locator => {
  // In a chapter without text the renderer divides by zero.
  const progression = Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : 0;
  const { totalProgression, position, total } = book.progress;
  return {
    href: book.links[index]?.href ?? '',
    progression,
    totalProgression: atEnd ? 1 : totalProgression({ index, progression }),
    cfi: cfiOf(book, index, range),
    label: book.label(index, range),
    page: position({ index, progression }),
    pages: total,
  };
};

/** The pages at the place that is shown. */
export const pageCountOf = (book: FoliateBook, { index, range, pagesLeft }: Shown): PageCount => ({
  ...(book.page(index, range) ?? { page: null, lastPage: null }),
  pagesLeft,
});

const spineIndexOf = (book: FoliateBook, index: number): number => book.links[index]?.properties.spineIndex ?? index;

const cfiOf = (book: FoliateBook, index: number, range: Range | null): string => {
  const item = CFI.fake.fromIndex(spineIndexOf(book, index));
  return range === null || !marksText(range) ? item : CFI.joinIndir(item, CFI.fromRange(range));
};

/** Where to open: by the CFI when it still fits the book, else by the share of the item, else by that of the book. */
export const targetOf = (book: FoliateBook, start: Locator | null): BookTarget => {
  const first = book.sections.findIndex(({ linear }) => linear !== 'no');
  if (start === null) return { index: Math.max(first, 0), anchor: 0 };
  const found = book.find(start.href);
  if (found === null) return fractionTarget(book, start.totalProgression);
  const { index } = found;
  return { index, anchor: (doc, fractionOf) => rangeAt(book, index, start.cfi, doc) ?? fractionOf(start.progression) };
};

export const fractionTarget = (book: FoliateBook, fraction: number): BookTarget => {
  const { index, progression } = book.progress.pointAt(fraction);
  return { index, anchor: (_, fractionOf) => fractionOf(progression) };
};

/** A place kept with an older edition may lead nowhere, or to another chapter: then the share of the item counts. */
const rangeAt = (book: FoliateBook, index: number, cfi: string | null, doc: Document): Range | null => {
  if (cfi === null || !CFI.isCFI.test(cfi) || !cfi.includes('!')) return null;
  try {
    const parts = CFI.parse(cfi);
    const item = (Array.isArray(parts) ? parts : parts.parent).shift();
    if (CFI.fake.toIndex(item) !== spineIndexOf(book, index)) return null;
    return CFI.toRange(doc, parts);
  } catch {
    return null;
  }
};
