import { focusMain } from '../ui/keep-focus.ts';

/**
 * Creates the ref that moves the focus to a screen that replaces another, as a page load would. The
 * first screen leaves the focus where the browser has set it, and reports that it is shown. A
 * stable function, so that React calls it once for a screen, not at each render.
 */
export const createFocusTaker = (resolveFirstScreenReady: () => void) => {
  let isFirst = true;
  return (mark: HTMLElement | null): void => {
    if (mark === null) return;
    if (!isFirst) return focusMain();
    isFirst = false;
    resolveFirstScreenReady();
  };
};
