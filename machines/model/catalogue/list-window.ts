import type { TitleSummary } from './title.ts';

/** A part of a long list: `from` is the place of its first title, counted from 0. */
export type ListPart = { from: number; titles: TitleSummary[] };

/** Places of a list, the last one included. */
export type Places = { first: number; last: number };

/** Titles that are kept: some screens to either side, however long the list, so that a record of the visit stays small. */
const most = 400;
/** Titles on each side of what is seen that are never missing; about two screens of a large window. */
const near = 60;
/** Titles beyond what is seen that are fetched at once. */
const ahead = 120;

const endOf = ({ from, titles }: ListPart): number => from + titles.length;

/** A part with the titles that came; what does not adjoin it takes its place. */
export const joined = (part: ListPart, more: ListPart): ListPart => {
  if (more.titles.length === 0) return part;
  if (more.from === endOf(part)) {
    const titles = [...part.titles, ...more.titles].slice(-most);
    return { from: endOf(more) - titles.length, titles };
  }
  if (endOf(more) === part.from) return { from: more.from, titles: [...more.titles, ...part.titles].slice(0, most) };
  return more;
};

const lacksBefore = ({ from }: ListPart, { first }: Places): boolean => from > Math.max(0, first - near);

/** Whether titles near what is seen are missing, of the `count` that there are. */
export const isLacking = (part: ListPart, count: number, seen: Places): boolean =>
  lacksBefore(part, seen) || endOf(part) < Math.min(count, seen.last + 1 + near);

/** What to fetch for those who see `seen`: from one place up to the one before another, which may not have arrived yet. */
export const wanted = (part: ListPart, seen: Places): { from: number; to: number } => {
  const { first, last } = seen;
  const [before, behind] = [Math.max(0, first - ahead), last + 1 + ahead];
  if (last + 1 < part.from || first > endOf(part)) return { from: before, to: behind };
  return lacksBefore(part, seen) ? { from: before, to: part.from } : { from: endOf(part), to: behind };
};

/** Whether those who see `last` of `count` titles will soon want more. */
export const isNearEnd = (count: number, { last }: Places): boolean => last + 1 + near >= count;
