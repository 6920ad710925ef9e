export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

const heading = (): Element | null => document.querySelector('#main h1');

/** Whoever knows the best place comes in the first turn, the heading of a part in the second, the screen in the third. */
const inTurn = (turn: number, run: () => void): void => queueMicrotask(turn === 1 ? run : () => inTurn(turn - 1, run));

/**
 * Keeps the focus in the screen when a part of it goes that had it; given as a ref to something that goes with it. If the whole
 * screen went, by its heading, the next one is read from its top and not from where that part was.
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
 * The same of a button alone, where it had the focus itself; given as its ref. The heading of its part of the page takes the focus
 * if it can and stays. Whatever goes with the button may know a better place, and comes first.
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
