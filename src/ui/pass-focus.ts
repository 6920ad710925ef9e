export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

const heading = (): Element | null => document.querySelector('#main h1');

/**
 * Keeps the focus in the screen when a part of it goes that had it; given as a ref to something that goes with it. If the whole
 * screen went, by its heading, the next one is read from its top and not from where that part was.
 */
export const passFocus = () => {
  const before = heading();
  return (): void =>
    queueMicrotask(() => {
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
    const goOn = (): void => {
      if (document.activeElement === document.body && part?.isConnected) part.focus({ preventScroll: true });
      pass();
    };
    // A turn later than those of what goes with it, which have theirs after it where they stand below it.
    queueMicrotask(() => queueMicrotask(goOn));
  };
};
