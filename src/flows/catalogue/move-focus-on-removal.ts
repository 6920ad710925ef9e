const findFocusTarget = (container: Element | null, index: number): HTMLElement | null => {
  const remainingLinks = container?.isConnected ? [...container.querySelectorAll<HTMLElement>('a')] : [];
  return remainingLinks[Math.min(index, remainingLinks.length - 1)] ?? document.getElementById(listHeadingId);
};

/**
 * The id of a list's heading, which takes the focus when the focused element and its replacement
 * are gone.
 */
export const listHeadingId = 'list-heading';

/**
 * Moves the focus of a removed link to the link that takes its position, else to the list's
 * heading. Used as the link's ref.
 */
export const moveFocusOnRemoval = (link: HTMLAnchorElement | null): (() => void) | undefined => {
  if (link === null) return undefined;
  return () => {
    const container = link.parentElement;
    const index = container ? [...container.querySelectorAll('a')].indexOf(link) : 0;
    if (document.activeElement !== link) return;
    queueMicrotask(() => {
      if (document.activeElement === document.body) findFocusTarget(container, index)?.focus({ preventScroll: true });
    });
  };
};
