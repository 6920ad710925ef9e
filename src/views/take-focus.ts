const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

/**
 * Takes the focus to the screen that has taken another's place, as a page load would; the first screen leaves it where the
 * browser put it, and says that it stands. One function for every render, so that it runs once for a screen.
 */
export const createFocusTaker = (tellThatItStands: () => void) => {
  let isFirst = true;
  return (mark: HTMLElement | null): void => {
    if (mark === null) return;
    if (!isFirst) return focusMain();
    isFirst = false;
    tellThatItStands();
  };
};

const heading = (): Element | null => document.querySelector('#main h1');

/**
 * Keeps the focus in the screen when a button goes that had it; given as a ref to something that goes with it. If the whole
 * screen went, by its heading, the next one is read from its top and not from where the button was.
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
