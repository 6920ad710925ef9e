export const focusMain = (): void => document.getElementById('main')?.focus({ preventScroll: true });

const getHeading = (): Element | null => document.querySelector('#main h1');

/**
 * Runs a function after the given number of microtasks. The number is the priority of a focus
 * target: 1 for a specific element, 2 for a section's heading, 3 for the screen.
 */
const runInMicrotask = (count: number, run: () => void): void =>
  queueMicrotask(count === 1 ? run : () => runInMicrotask(count - 1, run));

/**
 * Keeps the focus in the screen when its focused part is removed; given as a ref to an element that
 * is removed with that part. If the whole screen was replaced, including its heading, the page
 * scrolls to the top.
 */
export const keepFocusInScreen = () => {
  const headingBefore = getHeading();
  return (): void =>
    runInMicrotask(3, () => {
      if (document.activeElement !== document.body) return;
      focusMain();
      if (headingBefore !== null && headingBefore !== getHeading()) scrollTo(0, 0);
    });
};

/**
 * As `keepFocusInScreen`, for a single button that has the focus itself; given as its ref. The
 * heading of its section takes the focus if it is focusable and is not removed. The ref of an
 * element that is removed with the button has priority, since it may know a better target.
 */
export const keepFocusInSection = (button: HTMLElement | null) => {
  if (button === null) return undefined;
  const sectionHeading = button.closest('[data-flow]')?.querySelector<HTMLElement>(':scope > h2[tabindex]');
  const moveFocusToScreen = keepFocusInScreen();
  return (): void => {
    if (document.activeElement !== button) return;
    runInMicrotask(2, () => {
      if (document.activeElement === document.body && sectionHeading?.isConnected) sectionHeading.focus({ preventScroll: true });
    });
    moveFocusToScreen();
  };
};
