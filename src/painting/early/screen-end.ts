/**
 * Runs behind a server-rendered screen, before it is shown: a list that is loaded again is scrolled
 * to where it was left, if that much of it is rendered.
 */

type Left = { y?: number; of?: string } | null;

try {
  const { y = 0, of } = (history.state as Left) ?? {};
  const isLong = document.documentElement.scrollHeight - innerHeight >= y;
  if (of === location.pathname + location.search && isLong) scrollTo(0, y);
} catch {
  // The state of another program: the list begins at its top.
}
