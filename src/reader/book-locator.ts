import * as CFI from 'foliate-js/epubcfi.js';
import type { Locator, PageCount } from '../../machines/model/reading/reading.ts';
import type { BookTarget } from './book-target.ts';
import type { FoliateBook } from './foliate-book.ts';
import { isTextRange } from './marks-text.ts';

/**
 * The pages that the renderer shows: the first visible section and the place in it, whether it is
 * the end of the book, and the screens that follow in the section, null where they are not laid out
 * together.
 */
export type ShownPages = { index: number; fraction: number; range: Range | null; atEnd: boolean; pagesLeft: number | null };

/**
 * The shown place in terms independent of the renderer: address, share of the item and of the book,
 * CFI.
 */
export const toLocator = (book: FoliateBook, { index, fraction, range, atEnd }: ShownPages): Locator => {
  // In a chapter without text the renderer divides by zero.
  const progression = Number.isFinite(fraction) ? Math.min(Math.max(fraction, 0), 1) : 0;
  const { totalProgression, position, total } = book.progress;
  return {
    href: book.links[index]?.href ?? '',
    progression,
    totalProgression: atEnd ? 1 : totalProgression({ index, progression }),
    cfi: toCfi(book, index, range),
    label: book.label(index, range),
    page: position({ index, progression }),
    pages: total,
  };
};

/** The page count at the shown place. */
export const getPageCount = (book: FoliateBook, { index, range, pagesLeft }: ShownPages): PageCount => ({
  ...(book.page(index, range) ?? { page: null, lastPage: null }),
  pagesLeft,
});

const getSpineIndex = (book: FoliateBook, index: number): number => book.links[index]?.properties.spineIndex ?? index;

const toCfi = (book: FoliateBook, index: number, range: Range | null): string => {
  const item = CFI.fake.fromIndex(getSpineIndex(book, index));
  return range === null || !isTextRange(range) ? item : CFI.joinIndir(item, CFI.fromRange(range));
};

/**
 * The place to open at: by the CFI if it still fits the book, else by the share of the item, else
 * by that of the book.
 */
export const toTarget = (book: FoliateBook, start: Locator | null): BookTarget => {
  const first = book.sections.findIndex(({ linear }) => linear !== 'no');
  if (start === null) return { index: Math.max(first, 0), anchor: 0 };
  const found = book.find(start.href);
  if (found === null) return toFractionTarget(book, start.totalProgression);
  const { index } = found;
  return { index, anchor: (doc, fractionOf) => findRange(book, index, start.cfi, doc) ?? fractionOf(start.progression) };
};

export const toFractionTarget = (book: FoliateBook, fraction: number): BookTarget => {
  const { index, progression } = book.progress.pointAt(fraction);
  return { index, anchor: (_, fractionOf) => fractionOf(progression) };
};

/**
 * A CFI from an older edition may resolve to nothing, or to another chapter: then the share of the
 * item counts.
 */
const findRange = (book: FoliateBook, index: number, cfi: string | null, doc: Document): Range | null => {
  if (cfi === null || !CFI.isCFI.test(cfi) || !cfi.includes('!')) return null;
  try {
    const parts = CFI.parse(cfi);
    const item = (Array.isArray(parts) ? parts : parts.parent).shift();
    if (CFI.fake.toIndex(item) !== getSpineIndex(book, index)) return null;
    return CFI.toRange(doc, parts);
  } catch {
    return null;
  }
};
