export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

const heading = (): Element | null => document.querySelector('#main h1');

/**
 * Priorities of focus targets: the best-known target runs in the first microtask turn, a part's
 * heading in the second, the screen in the third.
 */
const inTurn = (turn: number, run: () => void): void => queueMicrotask(turn === 1 ? run : () => inTurn(turn - 1, run));

/**
 * Keeps the focus in the screen when its focused part is removed; given as a ref to an element that
 * is removed with it. If the whole screen, with its heading, was removed, the next one is read from
 * its top.
 */
export const passFocus = () => {
  const before = heading();
  return (): void =>
    inTurn(3, () => {
      if (document.activeElement !== document.body) return;
      focusMain();
      if (before !== null && before !== heading()) scrollTo(0, 0);
    });
};

/**
 * As `passFocus`, for a single button that has the focus itself; given as its ref. The heading of
 * its part of the page takes the focus if it is focusable and stays. An element that is removed
 * with the button may know a better target, and has priority.
 */
export const passFocusOn = (button: HTMLElement | null) => {
  if (button === null) return undefined;
  const part = button.closest('[data-flow]')?.querySelector<HTMLElement>(':scope > h2[tabindex]');
  const pass = passFocus();
  return (): void => {
    if (document.activeElement !== button) return;
    inTurn(2, () => {
      if (document.activeElement === document.body && part?.isConnected) part.focus({ preventScroll: true });
    });
    pass();
  };
};
