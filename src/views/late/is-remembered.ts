/**
 * Whether the form above a button, outside the button's own machine, is ticked to remember the
 * customer; a form that does not ask remembers.
 */
export const isRemembered = (button: HTMLElement): boolean =>
  button.closest('[data-flow]')?.parentElement?.querySelector<HTMLInputElement>('[name="remember"]')?.checked ?? true;
