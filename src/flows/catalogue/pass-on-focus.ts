const nextTo = (neighbours: Element | null, place: number): HTMLElement | null => {
  const left = neighbours?.isConnected ? [...neighbours.querySelectorAll<HTMLElement>('a')] : [];
  return left[Math.min(place, left.length - 1)] ?? document.getElementById(listHeading);
};

/** The id of a list's heading, which takes the focus when nothing is left of what had it. */
export const listHeading = 'list-heading';

/** Hands the focus on when a link goes that had it: to the one that takes its place, else to the list's heading. Given as its ref. */
export const passOnFocus = (link: HTMLAnchorElement | null): (() => void) | undefined => {
  if (link === null) return undefined;
  return () => {
    const neighbours = link.parentElement;
    const place = neighbours ? [...neighbours.querySelectorAll('a')].indexOf(link) : 0;
    if (document.activeElement !== link) return;
    queueMicrotask(() => {
      if (document.activeElement === document.body) nextTo(neighbours, place)?.focus({ preventScroll: true });
    });
  };
};
