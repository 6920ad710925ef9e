import { isTextRange } from './marks-text.ts';

/** A page name of the printed edition; `lastPage` is the last number, null if the page has none. */
export type PrintedPage = { page: string; lastPage: string | null };

/** A page break: its section, and its element in the loaded section, null without one. */
type PageBreak = { index: number; find: (doc: Document) => Element | null };

type Entry = { title: string; href?: string | undefined; children?: readonly Entry[] | undefined };
const flattenEntries = (entries: readonly Entry[]): Entry[] =>
  entries.flatMap((entry) => [entry, ...flattenEntries(entry.children ?? [])]);

/** A page's label; some lists have “Page 12” for 12. */
const getPageLabel = (title: string): string => title.trim().replace(/^(page|p\.)\s*(?=\S)/i, '');
const isNumber = (name: string): boolean => /^\d+$/.test(name);

const isBefore = (breakElement: Element | null, place: Range): boolean => {
  if (breakElement === null) return false;
  const start = place.cloneRange();
  start.collapse(true);
  return start.comparePoint(breakElement, 0) <= 0;
};

/** Whether there is no readable content between a place and the page break after it. */
const isAdjacent = (breakElement: Element | null, place: Range): boolean => {
  if (breakElement === null) return false;
  const between = place.cloneRange();
  between.setEndBefore(breakElement);
  return between.toString().trim() === '' && between.cloneContents().querySelector('img, svg, video, math') === null;
};

type FindPage = (index: number, range: Range | null) => PrintedPage | null;

/**
 * Finds the page of the printed edition at a place, by the last page break at or before it; null
 * before the first one, and where no break is known to be before the place.
 * @returns null for a book without a list
 * @param locate the target of a list entry, null outside of the book
 */
export const createPageFinder = (entries: readonly Entry[], locate: (href: string) => PageBreak | null): FindPage | null => {
  const breaks = flattenEntries(entries).flatMap(({ title, href = '' }) => {
    const name = getPageLabel(title);
    const pageBreak = name === '' ? null : locate(href);
    return pageBreak === null ? [] : [{ name, ...pageBreak }];
  });
  if (breaks.length === 0) return null;
  const lastNumber = breaks.findLast(({ name }) => isNumber(name))?.name ?? null;
  const findPageName = (index: number, range: Range | null): string | null => {
    const sectionBreaks = breaks.filter((each) => each.index === index);
    const earlierBreaks = breaks.filter((each) => each.index < index);
    const [first] = sectionBreaks;
    // In an unordered list, the order of the sections counts, not that of the entries.
    const earlierName = earlierBreaks.findLast((each) => earlierBreaks.every((other) => other.index <= each.index))?.name ?? null;
    if (first === undefined) return earlierName;
    // A screen without text may be anywhere between the breaks.
    if (range === null || !isTextRange(range)) return sectionBreaks.length === 1 ? first.name : null;
    const doc = range.startContainer.ownerDocument;
    if (doc === null) return earlierName;
    // Content is compared only for breaks after the place, since the text between may be long.
    let at = sectionBreaks.findLastIndex(({ find }) => isBefore(find(doc), range));
    while (isAdjacent(sectionBreaks[at + 1]?.find(doc) ?? null, range)) at += 1;
    return sectionBreaks[at]?.name ?? earlierName;
  };
  return (index, range) => {
    const page = findPageName(index, range);
    return page === null ? null : { page, lastPage: isNumber(page) ? lastNumber : null };
  };
};
