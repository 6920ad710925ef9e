/**
 * Scrolls a list to its current entry each time the list appears, as when a drawer is opened,
 * without scrolling its ancestors. A stable function, so that React calls it once, not at each
 * render.
 */
export const scrollToCurrent = (list: HTMLElement | null): (() => void) | undefined => {
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
