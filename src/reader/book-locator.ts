import * as CFI from 'foliate-js/epubcfi.js';
import type { Locator, PageCount } from '../../machines/model/reading/reading.ts';
import type { BookTarget } from './book-target.ts';
import type { FoliateBook } from './foliate-book.ts';
import { isTextRange } from './marks-text.ts';

/** The pages that the renderer shows. */
export type ShownPages = {
  /** The first visible section. */
  index: number;
  /** Where the page begins in the section, 0 to 1. */
  fraction: number;
  /** The visible part of the section; null in a fixed layout. */
  range: Range | null;
  /** Whether the end of the book is visible. */
  atEnd: boolean;
  /** Number of pages that follow in the section; null in a fixed layout. */
  pagesLeft: number | null;
};

/**
 * The shown place in terms independent of the renderer: address, progression in the item and in the
 * book, CFI.
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
    label: book.getLabel(index, range),
    page: position({ index, progression }),
    pages: total,
  };
};

/** The page count at the shown place. */
export const getPageCount = (book: FoliateBook, { index, range, pagesLeft }: ShownPages): PageCount => ({
  ...(book.getPage(index, range) ?? { page: null, lastPage: null }),
  pagesLeft,
});

const getSpineIndex = (book: FoliateBook, index: number): number => book.links[index]?.properties.spineIndex ?? index;

const toCfi = (book: FoliateBook, index: number, range: Range | null): string => {
  const item = CFI.fake.fromIndex(getSpineIndex(book, index));
  return range === null || !isTextRange(range) ? item : CFI.joinIndir(item, CFI.fromRange(range));
};

/**
 * The target to open a book at: by the CFI if it still fits the book, else by the progression in
 * the item, else by that in the book.
 */
export const toTarget = (book: FoliateBook, start: Locator | null): BookTarget => {
  const firstLinear = book.sections.findIndex(({ linear }) => linear !== 'no');
  if (start === null) return { index: Math.max(firstLinear, 0), anchor: 0 };
  const target = book.findTarget(start.href);
  if (target === null) return toFractionTarget(book, start.totalProgression);
  const { index } = target;
  return { index, anchor: (doc, toFraction) => findRange(book, index, start.cfi, doc) ?? toFraction(start.progression) };
};

export const toFractionTarget = (book: FoliateBook, fraction: number): BookTarget => {
  const { index, progression } = book.progress.pointAt(fraction);
  return { index, anchor: (_, toFraction) => toFraction(progression) };
};

/**
 * The range of a CFI in a loaded section; null without a CFI, or where it is invalid or of another
 * section, as a CFI from an older edition may be.
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
