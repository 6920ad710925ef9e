/**
 * Keeps the focus in its machine's part of the page when the focused element is removed: on the
 * element marked by `data-focus`, else on the first field or button. Given as a ref to an element
 * that is removed at the same time.
 */
export const keepFocusWithin = (mark: HTMLElement | null) => {
  const part = mark?.closest('[data-flow]');
  return (): void =>
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      part?.querySelector<HTMLElement>('[data-focus], input, button')?.focus();
    });
};
