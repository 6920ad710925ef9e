const findFocusTarget = (neighbours: Element | null, place: number): HTMLElement | null => {
  const left = neighbours?.isConnected ? [...neighbours.querySelectorAll<HTMLElement>('a')] : [];
  return left[Math.min(place, left.length - 1)] ?? document.getElementById(listHeadingId);
};

/**
 * The id of a list's heading, which takes the focus when the focused element and its replacement
 * are gone.
 */
export const listHeadingId = 'list-heading';

/**
 * Moves the focus of a removed link to the link that takes its place, else to the list's heading.
 * Used as the link's ref.
 */
export const moveFocusOnRemoval = (link: HTMLAnchorElement | null): (() => void) | undefined => {
  if (link === null) return undefined;
  return () => {
    const neighbours = link.parentElement;
    const place = neighbours ? [...neighbours.querySelectorAll('a')].indexOf(link) : 0;
    if (document.activeElement !== link) return;
    queueMicrotask(() => {
      if (document.activeElement === document.body) findFocusTarget(neighbours, place)?.focus({ preventScroll: true });
    });
  };
};
