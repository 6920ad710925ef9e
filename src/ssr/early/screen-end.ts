/**
 * Runs after a server-rendered screen, before it is shown: restores the scroll position of a list
 * after a reload, if that much of it is rendered.
 */

type ScrollState = { y?: number; of?: string } | null;

try {
  const { y = 0, of } = (history.state as ScrollState) ?? {};
  const isLongEnough = document.documentElement.scrollHeight - innerHeight >= y;
  if (of === location.pathname + location.search && isLongEnough) scrollTo(0, y);
} catch {
  // Unreadable state: the list starts at its top.
}
