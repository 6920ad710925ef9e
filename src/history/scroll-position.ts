/** Where a list was left: `y` pixels down the page, when `titles` of it had come. */
export type ScrollPosition = { y: number; titles: number; isReturn: boolean };

/** `y` is kept for every page by the history port. */
type State = { y?: unknown; titles?: unknown; of?: unknown } | null;

const here = (): string => location.pathname + location.search;

const numberIn = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/** Where the customer had been in the list of this entry of the history; `isReturn` when it showed this very list before. */
const savedScrollPosition = (): ScrollPosition => {
  const state = history.state as State;
  const isReturn = state?.of === here();
  return isReturn ? { y: numberIn(state.y), titles: numberIn(state.titles), isReturn } : { y: 0, titles: 0, isReturn };
};

const keep = (part: object): void => history.replaceState({ ...(history.state as State), ...part }, '');

/** Remembers how many titles of the list of this entry have come. */
const keepCount = (titles: number): void => keep({ titles, of: here() });

/** Remembers where the customer is each time the page comes to rest, until the returned function is called. */
const followScrolling = (): (() => void) => {
  const keepHere = (): void => keep({ y: scrollY });
  addEventListener('scrollend', keepHere);
  addEventListener('pagehide', keepHere);
  return () => {
    removeEventListener('scrollend', keepHere);
    removeEventListener('pagehide', keepHere);
  };
};

/** Where the customer was in lists, as the entries of the history remember it. */
export type ScrollMemory = {
  saved: () => ScrollPosition;
  keepCount: (titles: number) => void;
  follow: () => () => void;
};

export const browserScrolling: ScrollMemory = { saved: savedScrollPosition, keepCount, follow: followScrolling };
