import type { TitleSummary, TitleType } from './title.ts';

/** Titles of a kind for the landing page, the newest first; those of `all` kinds are the newest of the shop. `total` is null where the server does not count. */
export type Carousel = { type: TitleType | 'all'; titles: TitleSummary[]; total: number | null };

/**
 * A row of titles on the landing page. `kinds` are the lists that it leads to, with their totals: one, or several that are too
 * small for a row each. `isFilled` when titles of other kinds stand behind its own.
 */
export type Shelf = { kinds: Pick<Carousel, 'type' | 'total'>[]; titles: TitleSummary[]; isFilled: boolean };

/** Titles that a row shows at most. */
export const shelfSize = 8;

/** Titles that fill a row of a laptop's screen; with fewer it looks as if something had not come. */
export const enough = 5;

const shelfOf = ({ titles, ...kind }: Carousel): Shelf => ({
  kinds: [kind],
  titles: titles.slice(0, shelfSize),
  isFilled: false,
});

/** The kinds with too few titles as one row, filled from `spare` where they are too few together; null where that is no row either. */
const joined = (small: Carousel[], spare: TitleSummary[]): Shelf | null => {
  const own = small.flatMap(({ titles }) => titles);
  const ids = new Set(own.map(({ id }) => id));
  const others = spare.filter(({ id }) => !ids.has(id)).slice(0, Math.max(0, enough - own.length));
  const titles = [...own, ...others];
  if (own.length === 0 || titles.length < enough) return null;
  const kinds = small.map(({ type, total }) => ({ type, total }));
  return { kinds, titles: titles.slice(0, shelfSize), isFilled: others.length > 0 };
};

/**
 * The rows of the landing page: the newest of all kinds, a row for each kind that fills one, and one for the others together.
 * What cannot fill a row stands among the newest alone.
 */
export const shelvesOf = (carousels: Carousel[]): Shelf[] => {
  const newest = carousels.find(({ type }) => type === 'all');
  const kinds = carousels.filter(({ type, titles }) => type !== 'all' && titles.length > 0);
  const large = kinds.filter(({ titles }) => titles.length >= enough);
  const small = kinds.filter((each) => !large.includes(each));
  // Without the newest, because they did not come, a short row is better than none.
  if (newest === undefined) return kinds.map(shelfOf);
  const together = joined(small, newest.titles.slice(shelfSize));
  return [newest, ...large].map(shelfOf).concat(together ?? []);
};
