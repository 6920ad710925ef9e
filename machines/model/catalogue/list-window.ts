import type { TitleSummary } from './title.ts';

/** A section of a long list: `from` is the position of its first title, counted from 0. */
export type ListSlice = { from: number; titles: TitleSummary[] };

/** The first and the last visible position in a list (inclusive), counted from 0. */
export type VisibleRange = { first: number; last: number };

/**
 * The maximum number of titles kept in memory: a few screens in each direction, so that the trace
 * of a visit stays small however long the list is.
 */
const MAX_KEPT_TITLES = 400;
/**
 * Titles before and after the visible ones that must be loaded; about two screens of a large
 * window.
 */
const MIN_MARGIN_TITLES = 60;
/** The number of titles beyond the visible ones that one request loads. */
const PREFETCH_TITLES = 120;

const getEnd = ({ from, titles }: ListSlice): number => from + titles.length;

/** Adds loaded titles to a section; titles that are not adjacent replace it. */
export const joinSlices = (slice: ListSlice, addition: ListSlice): ListSlice => {
  if (addition.titles.length === 0) return slice;
  if (addition.from === getEnd(slice)) {
    const titles = [...slice.titles, ...addition.titles].slice(-MAX_KEPT_TITLES);
    return { from: getEnd(addition) - titles.length, titles };
  }
  if (getEnd(addition) === slice.from) {
    return { from: addition.from, titles: [...addition.titles, ...slice.titles].slice(0, MAX_KEPT_TITLES) };
  }
  return addition;
};

const lacksTitlesBefore = ({ from }: ListSlice, { first }: VisibleRange): boolean =>
  from > Math.max(0, first - MIN_MARGIN_TITLES);

/** Whether some of the `count` titles of a list, near the visible ones, are not loaded. */
export const hasMissingTitles = (slice: ListSlice, count: number, visible: VisibleRange): boolean =>
  lacksTitlesBefore(slice, visible) || getEnd(slice) < Math.min(count, visible.last + 1 + MIN_MARGIN_TITLES);

/**
 * The positions to request so that the visible titles and those near them are loaded: `from`
 * (inclusive) to `to` (exclusive).
 */
export const getFetchRange = (slice: ListSlice, visible: VisibleRange): { from: number; to: number } => {
  const { first, last } = visible;
  const [prefetchStart, prefetchEnd] = [Math.max(0, first - PREFETCH_TITLES), last + 1 + PREFETCH_TITLES];
  if (last + 1 < slice.from || first > getEnd(slice)) return { from: prefetchStart, to: prefetchEnd };
  return lacksTitlesBefore(slice, visible) ? { from: prefetchStart, to: slice.from } : { from: getEnd(slice), to: prefetchEnd };
};

/**
 * Whether the last visible title is near the end of the `count` loaded titles, so that more are
 * needed soon.
 */
export const isNearEnd = (count: number, { last }: VisibleRange): boolean => last + 1 + MIN_MARGIN_TITLES >= count;
