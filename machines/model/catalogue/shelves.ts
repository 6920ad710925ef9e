import type { TitleSummary, TitleType } from './title.ts';

/**
 * Titles of a kind for the landing page, newest first; those of `all` kinds are the newest of the
 * shop. `total` is null if the server does not count.
 */
export type Carousel = { type: TitleType | 'all'; titles: TitleSummary[]; total: number | null };

/**
 * A row of titles on the landing page. `kinds` are the lists that it links to, with their totals:
 * one, or several that are too small for rows of their own. `isFilled` if titles of other kinds
 * follow its own.
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
 * The kinds with too few titles as one row, filled up from `spare` if they are too few together;
 * null if they still do not fill a row.
 */
const mergeSmallShelves = (small: Carousel[], spare: TitleSummary[]): Shelf | null => {
  const own = small.flatMap(({ titles }) => titles);
  const ids = new Set(own.map(({ id }) => id));
  const others = spare.filter(({ id }) => !ids.has(id)).slice(0, Math.max(0, MIN_SHELF_TITLES - own.length));
  const titles = [...own, ...others];
  if (own.length === 0 || titles.length < MIN_SHELF_TITLES) return null;
  const kinds = small.map(({ type, total }) => ({ type, total }));
  return { kinds, titles: titles.slice(0, SHELF_TITLES), isFilled: others.length > 0 };
};

/**
 * The rows of the landing page: the newest of all kinds, a row for each kind that fills one, and
 * one for all others. Titles that do not fill a row appear only among the newest.
 */
export const toShelves = (carousels: Carousel[]): Shelf[] => {
  const newest = carousels.find(({ type }) => type === 'all');
  const kinds = carousels.filter(({ type, titles }) => type !== 'all' && titles.length > 0);
  const large = kinds.filter(({ titles }) => titles.length >= MIN_SHELF_TITLES);
  const small = kinds.filter((each) => !large.includes(each));
  // The newest failed to load: then a short row is better than none.
  if (newest === undefined) return kinds.map(toShelf);
  const together = mergeSmallShelves(small, newest.titles.slice(SHELF_TITLES));
  return [newest, ...large].map(toShelf).concat(together ?? []);
};
