let isFirst = true;

/**
 * Takes the focus to the screen that has taken another's place, as a page load would; the first screen leaves it where the
 * browser put it. One function for every render, so that it runs once for a screen.
 */
export const takeFocus = (mark: HTMLElement | null): void => {
  if (mark === null) return;
  if (!isFirst) document.getElementById('main')?.focus({ preventScroll: true });
  isFirst = false;
};
