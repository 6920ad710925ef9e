/**
 * Keeps the focus in its section when a part of it goes that had it: on what is marked there by `data-focus`, else on the first
 * that can be typed into or pressed. Given as a ref to something that goes with that part.
 */
export const passFocusWithin = (mark: HTMLElement | null) => {
  const section = mark?.closest('section');
  return (): void =>
    queueMicrotask(() => {
      if (document.activeElement !== document.body) return;
      section?.querySelector<HTMLElement>('[data-focus], input, button')?.focus();
    });
};
