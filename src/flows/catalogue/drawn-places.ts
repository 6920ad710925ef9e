import type { GridInView } from './grid-in-view.ts';

/** Rows beyond the window that are worth drawing, for the next turn of the wheel and the next press of Tab. */
export const rowsBeyond = 3;
/** Titles that are drawn before anything is known of the grid: about a window of them. */
const unseen = 12;

/** What of a list of `count` titles is drawn: places from `from` up to the one before `to`, and the pixels above and below. */
export type Drawn = { from: number; to: number; above: number; below: number };

/** What is in the window and so many rows beyond it; what has the focus may be outside of it. */
export const drawnPlaces = ({ columns, rowHeight, firstRow, lastRow }: GridInView, count: number, beyond = rowsBeyond): Drawn => {
  if (rowHeight === 0) return { from: 0, to: Math.min(unseen, count), above: 0, below: 0 };
  const rows = Math.ceil(count / columns);
  const first = Math.min(Math.max(0, firstRow - beyond), Math.max(0, rows - 1));
  const last = Math.min(rows - 1, lastRow + beyond);
  return {
    from: first * columns,
    to: Math.min(count, (last + 1) * columns),
    above: first * rowHeight,
    below: Math.max(0, rows - 1 - last) * rowHeight,
  };
};
