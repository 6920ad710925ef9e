/**
 * A position in a list: scrolled by `y` pixels, with `titles` titles loaded. `isReturn`: the
 * history entry showed this list before.
 */
export type ScrollPosition = { y: number; titles: number; isReturn: boolean };

/** State of a history entry; the history port stores `y` for every page, `of` is a list's path. */
type State = { y?: unknown; titles?: unknown; of?: unknown } | null;

const getCurrentPath = (): string => location.pathname + location.search;

const toPositive = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);

/**
 * The customer's last position in the list of this history entry; 0 unless the entry showed this
 * very list before.
 */
const readScrollPosition = (): ScrollPosition => {
  const state = history.state as State;
  const isReturn = state?.of === getCurrentPath();
  return isReturn ? { y: toPositive(state.y), titles: toPositive(state.titles), isReturn } : { y: 0, titles: 0, isReturn };
};

const updateState = (changes: object): void => history.replaceState({ ...(history.state as State), ...changes }, '');

/** Stores how many titles of this entry's list are loaded. */
const keepCount = (titles: number): void => updateState({ titles, of: getCurrentPath() });

/** Stores the position after each scroll, until the returned function is called. */
const followScrolling = (): (() => void) => {
  const saveScrollY = (): void => updateState({ y: scrollY });
  addEventListener('scrollend', saveScrollY);
  addEventListener('pagehide', saveScrollY);
  return () => {
    removeEventListener('scrollend', saveScrollY);
    removeEventListener('pagehide', saveScrollY);
  };
};

/** The customer's positions in lists, stored in the history entries. */
export type ScrollMemory = {
  read: () => ScrollPosition;
  keepCount: (titles: number) => void;
  follow: () => () => void;
};

export const browserScrolling: ScrollMemory = { read: readScrollPosition, keepCount, follow: followScrolling };
