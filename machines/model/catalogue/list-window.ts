import type { TitleSummary } from './title.ts';

/** A section of a long list: `from` is the position of its first title, counted from 0. */
export type ListSlice = { from: number; titles: TitleSummary[] };

/** Positions in a list, the last one included. */
export type VisibleRange = { first: number; last: number };

/**
 * The maximum number of titles kept in memory: a few screens in each direction, so that a record of
 * the visit stays small however long the list.
 */
const MAX_KEPT_TITLES = 400;
/**
 * Titles before and after the visible ones that must be loaded; about two screens of a large
 * window.
 */
const MIN_MARGIN_TITLES = 60;
/** Titles beyond the visible ones that are requested at once. */
const PREFETCH_TITLES = 120;

const getEnd = ({ from, titles }: ListSlice): number => from + titles.length;

/** Merges new titles into a section; titles that are not adjacent replace it. */
export const joinSlices = (part: ListSlice, more: ListSlice): ListSlice => {
  if (more.titles.length === 0) return part;
  if (more.from === getEnd(part)) {
    const titles = [...part.titles, ...more.titles].slice(-MAX_KEPT_TITLES);
    return { from: getEnd(more) - titles.length, titles };
  }
  if (getEnd(more) === part.from) return { from: more.from, titles: [...more.titles, ...part.titles].slice(0, MAX_KEPT_TITLES) };
  return more;
};

const lacksBefore = ({ from }: ListSlice, { first }: VisibleRange): boolean => from > Math.max(0, first - MIN_MARGIN_TITLES);

/** Whether titles near the visible ones are not loaded, of the `count` that exist. */
export const hasMissingTitles = (part: ListSlice, count: number, seen: VisibleRange): boolean =>
  lacksBefore(part, seen) || getEnd(part) < Math.min(count, seen.last + 1 + MIN_MARGIN_TITLES);

/**
 * The positions to request for the visible ones: from `from` up to but not including `to`, which
 * may not have arrived yet.
 */
export const getFetchRange = (part: ListSlice, seen: VisibleRange): { from: number; to: number } => {
  const { first, last } = seen;
  const [before, behind] = [Math.max(0, first - PREFETCH_TITLES), last + 1 + PREFETCH_TITLES];
  if (last + 1 < part.from || first > getEnd(part)) return { from: before, to: behind };
  return lacksBefore(part, seen) ? { from: before, to: part.from } : { from: getEnd(part), to: behind };
};

/**
 * Whether the last visible title is near the end of the `count` loaded titles, so that more are
 * needed soon.
 */
export const isNearEnd = (count: number, { last }: VisibleRange): boolean => last + 1 + MIN_MARGIN_TITLES >= count;
