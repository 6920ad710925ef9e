import type { TitleSummary } from './title.ts';

/** A section of a long list: `from` is the position of its first title, counted from 0. */
export type ListPart = { from: number; titles: TitleSummary[] };

/** Positions in a list, the last one included. */
export type Places = { first: number; last: number };

/**
 * The maximum number of titles kept in memory: a few screens in each direction, so that a record of
 * the visit stays small however long the list.
 */
const most = 400;
/**
 * Titles before and after the visible ones that must be loaded; about two screens of a large
 * window.
 */
const near = 60;
/** Titles beyond the visible ones that are requested at once. */
const ahead = 120;

const endOf = ({ from, titles }: ListPart): number => from + titles.length;

/** Merges new titles into a section; titles that are not adjacent replace it. */
export const joined = (part: ListPart, more: ListPart): ListPart => {
  if (more.titles.length === 0) return part;
  if (more.from === endOf(part)) {
    const titles = [...part.titles, ...more.titles].slice(-most);
    return { from: endOf(more) - titles.length, titles };
  }
  if (endOf(more) === part.from) return { from: more.from, titles: [...more.titles, ...part.titles].slice(0, most) };
  return more;
};

const lacksBefore = ({ from }: ListPart, { first }: Places): boolean => from > Math.max(0, first - near);

/** Whether titles near the visible ones are not loaded, of the `count` that exist. */
export const isLacking = (part: ListPart, count: number, seen: Places): boolean =>
  lacksBefore(part, seen) || endOf(part) < Math.min(count, seen.last + 1 + near);

/**
 * The positions to request for the visible ones: from `from` up to but not including `to`, which
 * may not have arrived yet.
 */
export const wanted = (part: ListPart, seen: Places): { from: number; to: number } => {
  const { first, last } = seen;
  const [before, behind] = [Math.max(0, first - ahead), last + 1 + ahead];
  if (last + 1 < part.from || first > endOf(part)) return { from: before, to: behind };
  return lacksBefore(part, seen) ? { from: before, to: part.from } : { from: endOf(part), to: behind };
};

/**
 * Whether the last visible title is near the end of the `count` loaded titles, so that more are
 * needed soon.
 */
export const isNearEnd = (count: number, { last }: Places): boolean => last + 1 + near >= count;
