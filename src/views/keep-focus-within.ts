/**
 * Keeps the focus in the part of the page of one machine when the focused element is removed: on
 * its first element with `data-focus`, input or button. Given as a ref to an element that is
 * removed at the same time.
 */
export const keepFocusWithin = (mark: HTMLElement | null) => {
  const part = mark?.closest('[data-flow]');
  return (): void =>
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      part?.querySelector<HTMLElement>('[data-focus], input, button')?.focus();
    });
};
