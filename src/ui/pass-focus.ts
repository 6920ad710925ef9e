export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

const getHeading = (): Element | null => document.querySelector('#main h1');

/**
 * Priorities of focus targets: the best-known target runs in the first microtask turn, a part's
 * heading in the second, the screen in the third.
 */
const runInMicrotask = (turn: number, run: () => void): void =>
  queueMicrotask(turn === 1 ? run : () => runInMicrotask(turn - 1, run));

/**
 * Keeps the focus in the screen when its focused part is removed; given as a ref to an element that
 * is removed with it. If the whole screen, with its heading, was removed, the next one is read from
 * its top.
 */
export const keepFocusInScreen = () => {
  const before = getHeading();
  return (): void =>
    runInMicrotask(3, () => {
      if (document.activeElement !== document.body) return;
      focusMain();
      if (before !== null && before !== getHeading()) scrollTo(0, 0);
    });
};

/**
 * As `passFocus`, for a single button that has the focus itself; given as its ref. The heading of
 * its part of the page takes the focus if it is focusable and stays. An element that is removed
 * with the button may know a better target, and has priority.
 */
export const keepFocusInPart = (button: HTMLElement | null) => {
  if (button === null) return undefined;
  const part = button.closest('[data-flow]')?.querySelector<HTMLElement>(':scope > h2[tabindex]');
  const pass = keepFocusInScreen();
  return (): void => {
    if (document.activeElement !== button) return;
    runInMicrotask(2, () => {
      if (document.activeElement === document.body && part?.isConnected) part.focus({ preventScroll: true });
    });
    pass();
  };
};
