/** Where a list was left: scrolled by `y` pixels, with `titles` titles loaded. */
export type ScrollPosition = { y: number; titles: number; isReturn: boolean };

/** `y` is stored for every page by the history port. */
type State = { y?: unknown; titles?: unknown; of?: unknown } | null;

const getCurrentPath = (): string => location.pathname + location.search;

const toPositive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * The customer's last position in the list of this history entry; `isReturn` when the entry showed
 * this very list before.
 */
const readScrollPosition = (): ScrollPosition => {
  const state = history.state as State;
  const isReturn = state?.of === getCurrentPath();
  return isReturn ? { y: toPositive(state.y), titles: toPositive(state.titles), isReturn } : { y: 0, titles: 0, isReturn };
};

const updateState = (part: object): void => history.replaceState({ ...(history.state as State), ...part }, '');

/** Stores how many titles of this entry's list are loaded. */
const keepCount = (titles: number): void => updateState({ titles, of: getCurrentPath() });

/** Stores the position after each scroll, until the returned function is called. */
const followScrolling = (): (() => void) => {
  const keepHere = (): void => updateState({ y: scrollY });
  addEventListener('scrollend', keepHere);
  addEventListener('pagehide', keepHere);
  return () => {
    removeEventListener('scrollend', keepHere);
    removeEventListener('pagehide', keepHere);
  };
};

/** The customer's positions in lists, stored in the history entries. */
export type ScrollMemory = {
  saved: () => ScrollPosition;
  keepCount: (titles: number) => void;
  follow: () => () => void;
};

export const browserScrolling: ScrollMemory = { saved: readScrollPosition, keepCount, follow: followScrolling };
