import type { Places } from '../../../machines/model/catalogue/list-window.ts';
import { drawnFirst } from '../../../machines/model/store/painting.ts';

/**
 * The part of a grid of equal rows that is in the window: its first and last row, and how many columns it has. A `rowHeight` of 0
 * pixels means that it has not been measured yet. `focused` is the place in the list of the title that has the focus.
 */
type GridInView = { columns: number; rowHeight: number; firstRow: number; lastRow: number; focused: number | null };

type Watching = {
  /** Called with the places that are in the window, whenever they may have changed. */
  onSeen: (places: Places) => void;
  /** The scroll position to restore as soon as the page is long enough. */
  scrollY: number;
};

const unmeasured: GridInView = { columns: 1, rowHeight: 0, firstRow: 0, lastRow: 0, focused: null };

/** Events by which a customer moves on: after them the old scroll position is no longer restored. */
const ownWays = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

const isSame = (a: GridInView, b: GridInView): boolean => JSON.stringify(a) === JSON.stringify(b);

const focusedIn = (grid: HTMLElement): number | null => {
  const item = document.activeElement?.closest<HTMLElement>('[data-place]');
  return item && grid.contains(item) ? Number(item.dataset['place']) : null;
};

/** What is in view of the one grid on the screen, as a store for React to read. */
export const createGridInView = () => {
  let inView = unmeasured;
  let width = 0;
  const listeners = new Set<() => void>();

  /** The height of a row never shrinks while the width stays, so that nothing moves under those who scroll. */
  const measure = (grid: HTMLElement): number => {
    if (grid.clientWidth !== width) {
      width = grid.clientWidth;
      grid.style.setProperty('--row', '0px');
      inView = unmeasured;
    }
    const gap = Number.parseFloat(getComputedStyle(grid).rowGap) || 0;
    const height = grid.querySelector('li:has(a)')?.getBoundingClientRect().height ?? 0;
    const rowHeight = height === 0 ? inView.rowHeight : Math.max(inView.rowHeight, height + gap);
    grid.style.setProperty('--row', `${Math.max(0, rowHeight - gap)}px`);
    return rowHeight;
  };

  const look = (grid: HTMLElement, rowHeight: number, onSeen: Watching['onSeen']): void => {
    const { top } = grid.getBoundingClientRect();
    const columns = rowHeight === 0 ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;
    const rowAt = (y: number): number => (rowHeight === 0 ? 0 : Math.max(0, Math.floor((y - top) / rowHeight)));
    const next = { columns, rowHeight, firstRow: rowAt(0), lastRow: rowAt(innerHeight), focused: focusedIn(grid) };
    if (!isSame(inView, next)) {
      inView = next;
      for (const listener of listeners) listener();
    }
    onSeen({ first: next.firstRow * columns, last: (next.lastRow + 1) * columns - 1 });
  };

  /** Watches a grid that is in the page, until the returned function is called. */
  const watch = (grid: HTMLElement, { onSeen, scrollY: savedY }: Watching): (() => void) => {
    let wanted = savedY;
    const goBack = (): void => {
      if (wanted === 0 || document.documentElement.scrollHeight - innerHeight < wanted) return;
      scrollTo(0, wanted);
      wanted = 0;
    };
    const stay = (): void => void (wanted = 0);
    const lookAgain = (): void => look(grid, inView.rowHeight, onSeen);
    const observer = new ResizeObserver(() => {
      const rowHeight = measure(grid);
      goBack();
      look(grid, rowHeight, onSeen);
    });
    look(grid, measure(grid), onSeen);
    // What is above and below the drawn rows is padding.
    observer.observe(grid, { box: 'border-box' });
    addEventListener('scroll', lookAgain, { passive: true });
    grid.addEventListener('focusin', lookAgain);
    for (const way of ownWays) addEventListener(way, stay, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', lookAgain);
      grid.removeEventListener('focusin', lookAgain);
      for (const way of ownWays) removeEventListener(way, stay);
      // The next grid of this width will have such rows: it can be drawn right the first time.
      const lastRow = inView.rowHeight === 0 ? 0 : Math.ceil(innerHeight / inView.rowHeight);
      inView = { ...inView, firstRow: 0, lastRow, focused: null };
    };
  };

  return {
    watch,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    now: (): GridInView => inView,
    /** On the server, and for what it has drawn. */
    unknown: (): GridInView => unmeasured,
  };
};

/** Rows beyond the window that are worth drawing, for the next turn of the wheel and the next press of Tab. */
export const rowsBeyond = 3;

/** What of a list of `count` titles is drawn: places from `from` up to the one before `to`, and the pixels above and below. */
type Drawn = { from: number; to: number; above: number; below: number };

/** What is in the window and so many rows beyond it; what has the focus may be outside of it. */
export const drawnPlaces = ({ columns, rowHeight, firstRow, lastRow }: GridInView, count: number, beyond = rowsBeyond): Drawn => {
  if (rowHeight === 0) return { from: 0, to: Math.min(drawnFirst, count), above: 0, below: 0 };
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
