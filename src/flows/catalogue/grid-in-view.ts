import type { VisibleRange } from '../../../machines/model/catalogue/list-window.ts';
import { FIRST_WINDOW_TITLES } from '../../../machines/model/store/server-rendering.ts';
import { isSameJson } from '../../../machines/same-json.ts';

/**
 * The visible part of a grid of equal rows: its first and last row, and its number of columns.
 * `rowHeight` is 0 pixels until it has been measured. `focused` is the list index of the focused
 * title.
 */
type GridInView = { columns: number; rowHeight: number; firstRow: number; lastRow: number; focused: number | null };

type ViewportWatcher = {
  /** Called with the list indexes in the window, whenever they may have changed. */
  onSeen: (range: VisibleRange) => void;
  /** The scroll position to restore as soon as the page is long enough. */
  scrollY: number;
};

const unmeasuredGrid: GridInView = { columns: 1, rowHeight: 0, firstRow: 0, lastRow: 0, focused: null };

/** Input events of the customer: after them the old scroll position is no longer restored. */
const userInputEvents = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

const getFocusedIndex = (grid: HTMLElement): number | null => {
  const item = document.activeElement?.closest<HTMLElement>('[data-place]');
  return item && grid.contains(item) ? Number(item.dataset['place']) : null;
};

/** The visible part of the only grid on the screen, as an external store for React. */
export const createGridInView = () => {
  let inView = unmeasuredGrid;
  let width = 0;
  const listeners = new Set<() => void>();

  /**
   * Returns the row height in pixels. It never shrinks while the width stays, so that nothing
   * shifts while the customer scrolls.
   */
  const measureRowHeight = (grid: HTMLElement): number => {
    if (grid.clientWidth !== width) {
      width = grid.clientWidth;
      grid.style.setProperty('--row', '0px');
      inView = unmeasuredGrid;
    }
    const gap = Number.parseFloat(getComputedStyle(grid).rowGap) || 0;
    const height = grid.querySelector('li:has(a)')?.getBoundingClientRect().height ?? 0;
    const rowHeight = height === 0 ? inView.rowHeight : Math.max(inView.rowHeight, height + gap);
    grid.style.setProperty('--row', `${Math.max(0, rowHeight - gap)}px`);
    return rowHeight;
  };

  const updateInView = (grid: HTMLElement, rowHeight: number, onSeen: ViewportWatcher['onSeen']): void => {
    const { top } = grid.getBoundingClientRect();
    const columns = rowHeight === 0 ? 1 : getComputedStyle(grid).gridTemplateColumns.split(' ').length;
    const getRowAt = (y: number): number => (rowHeight === 0 ? 0 : Math.max(0, Math.floor((y - top) / rowHeight)));
    const nextView = {
      columns,
      rowHeight,
      firstRow: getRowAt(0),
      lastRow: getRowAt(innerHeight),
      focused: getFocusedIndex(grid),
    };
    if (!isSameJson(inView, nextView)) {
      inView = nextView;
      for (const listener of listeners) listener();
    }
    onSeen({ first: nextView.firstRow * columns, last: (nextView.lastRow + 1) * columns - 1 });
  };

  /** Observes a mounted grid until the returned function is called. */
  const watch = (grid: HTMLElement, { onSeen, scrollY: savedY }: ViewportWatcher): (() => void) => {
    let yToRestore = savedY;
    const restoreScroll = (): void => {
      if (yToRestore === 0 || document.documentElement.scrollHeight - innerHeight < yToRestore) return;
      scrollTo(0, yToRestore);
      yToRestore = 0;
    };
    const cancelRestore = (): void => void (yToRestore = 0);
    const update = (): void => updateInView(grid, inView.rowHeight, onSeen);
    const observer = new ResizeObserver(() => {
      const rowHeight = measureRowHeight(grid);
      restoreScroll();
      updateInView(grid, rowHeight, onSeen);
    });
    updateInView(grid, measureRowHeight(grid), onSeen);
    // The rows above and below the rendered ones are padding, so the border box is observed.
    observer.observe(grid, { box: 'border-box' });
    addEventListener('scroll', update, { passive: true });
    grid.addEventListener('focusin', update);
    for (const eventType of userInputEvents) addEventListener(eventType, cancelRestore, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', update);
      grid.removeEventListener('focusin', update);
      for (const eventType of userInputEvents) removeEventListener(eventType, cancelRestore);
      // The next grid of this width starts with this row height, so that its first render has the
      // right number of rows.
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
    getSnapshot: (): GridInView => inView,
    /** The snapshot on the server and during hydration. */
    getServerSnapshot: (): GridInView => unmeasuredGrid,
  };
};

/**
 * The number of rows rendered on each side of the window, for the next wheel event and the next
 * press of Tab.
 */
export const extraRows = 3;

/**
 * The rendered part of a list: the indexes from `from` up to, but without, `to`, and the pixels of
 * padding above and below them.
 */
type RenderedRows = { from: number; to: number; above: number; below: number };

/**
 * Returns the indexes in the window and `rowsBeyond` rows around it; the focused title may be
 * outside of them.
 */
export const getRenderedRows = (
  { columns, rowHeight, firstRow, lastRow }: GridInView,
  count: number,
  rowsBeyond = extraRows,
): RenderedRows => {
  if (rowHeight === 0) return { from: 0, to: Math.min(FIRST_WINDOW_TITLES, count), above: 0, below: 0 };
  const rows = Math.ceil(count / columns);
  const first = Math.min(Math.max(0, firstRow - rowsBeyond), Math.max(0, rows - 1));
  const last = Math.min(rows - 1, lastRow + rowsBeyond);
  return {
    from: first * columns,
    to: Math.min(count, (last + 1) * columns),
    above: first * rowHeight,
    below: Math.max(0, rows - 1 - last) * rowHeight,
  };
};
