import type { TitleSummary, TitleType } from './title.ts';

/**
 * Titles of a kind for the landing page, newest first; `all` has the newest titles of the shop.
 * `total` is null if the server does not count the titles.
 */
export type Carousel = { type: TitleType | 'all'; titles: TitleSummary[]; total: number | null };

/**
 * A row of titles on the landing page. `kinds` are the lists that the row links to, with their
 * totals: one kind, or several that are too small for rows of their own. `isFilled` if titles of
 * other kinds fill up the row.
 */
export type Shelf = { kinds: Pick<Carousel, 'type' | 'total'>[]; titles: TitleSummary[]; isFilled: boolean };

/** The maximum number of titles in a row. */
export const SHELF_TITLES = 8;

/**
 * The number of titles that fill a row on a laptop screen; a shorter row looks as if loading had
 * failed.
 */
export const MIN_SHELF_TITLES = 5;

const toShelf = ({ titles, ...kind }: Carousel): Shelf => ({
  kinds: [kind],
  titles: titles.slice(0, SHELF_TITLES),
  isFilled: false,
});

/**
 * Merges the kinds with too few titles into one row, filled up from `spareTitles` if they are too
 * few together; null if they still do not fill a row.
 */
const mergeSmallShelves = (smallCarousels: Carousel[], spareTitles: TitleSummary[]): Shelf | null => {
  const ownTitles = smallCarousels.flatMap(({ titles }) => titles);
  const ids = new Set(ownTitles.map(({ id }) => id));
  const fillers = spareTitles.filter(({ id }) => !ids.has(id)).slice(0, Math.max(0, MIN_SHELF_TITLES - ownTitles.length));
  const titles = [...ownTitles, ...fillers];
  if (ownTitles.length === 0 || titles.length < MIN_SHELF_TITLES) return null;
  const kinds = smallCarousels.map(({ type, total }) => ({ type, total }));
  return { kinds, titles: titles.slice(0, SHELF_TITLES), isFilled: fillers.length > 0 };
};

/**
 * The rows of the landing page: the newest of all kinds, a row for each kind that fills one, and
 * one for all others. Titles that do not fill a row appear only among the newest.
 */
export const toShelves = (carousels: Carousel[]): Shelf[] => {
  const newestCarousel = carousels.find(({ type }) => type === 'all');
  const kinds = carousels.filter(({ type, titles }) => type !== 'all' && titles.length > 0);
  const largeKinds = kinds.filter(({ titles }) => titles.length >= MIN_SHELF_TITLES);
  const smallKinds = kinds.filter((each) => !largeKinds.includes(each));
  // The newest failed to load: then a short row is better than none.
  if (newestCarousel === undefined) return kinds.map(toShelf);
  const mergedShelf = mergeSmallShelves(smallKinds, newestCarousel.titles.slice(SHELF_TITLES));
  return [newestCarousel, ...largeKinds].map(toShelf).concat(mergedShelf ?? []);
};
