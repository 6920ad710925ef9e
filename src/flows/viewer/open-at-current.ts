/**
 * Scrolls a list to its current entry each time that the list appears, as a drawer does when it is
 * opened. Nothing around it scrolls. One function for every render, so that it runs once.
 */
export const openAtCurrent = (list: HTMLElement | null): (() => void) | undefined => {
  if (!list) return undefined;
  let isShown = false;
  const observer = new ResizeObserver(() => {
    const wasShown = isShown;
    isShown = list.clientHeight > 0;
    const current = list.querySelector('[aria-current]');
    if (wasShown || !isShown || current === null) return;
    const entry = current.getBoundingClientRect();
    const view = list.getBoundingClientRect();
    list.scrollTop += entry.top - view.top - (view.height - entry.height) / 2;
  });
  observer.observe(list);
  return () => observer.disconnect();
};
