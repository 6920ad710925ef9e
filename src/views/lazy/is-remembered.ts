/**
 * Whether "remember me" is checked in the form above a button, outside the button's own machine; a
 * form without the checkbox remembers.
 */
export const isRemembered = (button: HTMLElement): boolean =>
  button.closest('[data-flow]')?.parentElement?.querySelector<HTMLInputElement>('[name="remember"]')?.checked ?? true;
