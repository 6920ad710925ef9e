import { marksText } from './marks-text.ts';

/** A page as the printed edition names it; `lastPage` where both are numbers. */
export type PageName = { page: string; lastPage: string | null };

/** Where a page begins: its section, and in the loaded section its element, null without one. */
type Break = { index: number; find: (doc: Document) => Element | null };

type Entry = { title: string; href?: string | undefined; children?: readonly Entry[] | undefined };
const flat = (entries: readonly Entry[]): Entry[] => entries.flatMap((entry) => [entry, ...flat(entry.children ?? [])]);

/** Some lists say “Page 12” for 12. */
const nameOf = (title: string): string => title.trim().replace(/^(page|p\.)\s*(?=\S)/i, '');
const isNumber = (name: string): boolean => /^\d+$/.test(name);

const isBefore = (begins: Element | null, place: Range): boolean => {
  if (begins === null) return false;
  const start = place.cloneRange();
  start.collapse(true);
  return start.comparePoint(begins, 0) <= 0;
};

/** Whether nothing that is read lies between a place and the page that begins behind it. */
const isAt = (begins: Element | null, place: Range): boolean => {
  if (begins === null) return false;
  const between = place.cloneRange();
  between.setEndBefore(begins);
  return between.toString().trim() === '' && between.cloneContents().querySelector('img, svg, video, math') === null;
};

type FindPage = (index: number, range: Range | null) => PageName | null;

/**
 * Finds the page of the printed edition at a place, by the last page break at or before it; null
 * before the first one, and where no break is known to be before the place.
 * @returns null for a book without a list
 * @param locate where an entry of the list leads, null out of the book
 */
export const pageList = (entries: readonly Entry[], locate: (href: string) => Break | null): FindPage | null => {
  const breaks = flat(entries).flatMap(({ title, href = '' }) => {
    const name = nameOf(title);
    const found = name === '' ? null : locate(href);
    return found === null ? [] : [{ name, ...found }];
  });
  if (breaks.length === 0) return null;
  const last = breaks.findLast(({ name }) => isNumber(name))?.name ?? null;
  const nameIn = (index: number, range: Range | null): string | null => {
    const inSection = breaks.filter((each) => each.index === index);
    const before = breaks.filter((each) => each.index < index);
    const [first] = inSection;
    // The sections of a list that is out of order count, not its entries.
    const earlier = before.findLast((each) => before.every((other) => other.index <= each.index))?.name ?? null;
    if (first === undefined) return earlier;
    // A screen without text may be anywhere between the breaks.
    if (range === null || !marksText(range)) return inSection.length === 1 ? first.name : null;
    const doc = range.startContainer.ownerDocument;
    if (doc === null) return earlier;
    // Only of the breaks that follow the place is the text between compared, which may be long.
    let at = inSection.findLastIndex(({ find }) => isBefore(find(doc), range));
    while (isAt(inSection[at + 1]?.find(doc) ?? null, range)) at += 1;
    return inSection[at]?.name ?? earlier;
  };
  return (index, range) => {
    const page = nameIn(index, range);
    return page === null ? null : { page, lastPage: isNumber(page) ? last : null };
  };
};
