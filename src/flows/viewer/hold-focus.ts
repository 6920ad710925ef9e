/**
 * Takes the focus when the element appears, and the keys that would go to nobody: a page's frame or a button that goes
 * away while it is focused leaves them to the body. One function for every render, so that it runs once.
 */
export const holdFocus = (node: HTMLElement | null): (() => void) | undefined => {
  if (!node) return undefined;
  node.focus({ preventScroll: true });
  const passOn = (press: KeyboardEvent) => {
    const { key, shiftKey, target } = press;
    if (target !== document.body || press.ctrlKey || press.altKey || press.metaKey || key === 'Tab') return;
    node.focus({ preventScroll: true });
    const taken = !node.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
    if (taken) press.preventDefault();
  };
  document.addEventListener('keydown', passOn);
  return () => document.removeEventListener('keydown', passOn);
};
