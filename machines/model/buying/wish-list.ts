/** A title that was saved for later; `savedAt` ISO 8601, empty until that is known. */
export type Wish = { titleId: string; savedAt: string };

/** A title is to be saved, or removed. `savedAt` is given to one that comes back; else it is saved now. */
export type WishChange = { titleId: string; isSaved: boolean; savedAt?: string };

/** Titles that a list may have, in a browser and on the server. */
export const mostWishes = 500;

/** The changes with another one, of which one title has one: the latest. */
export const withChange = <Change extends WishChange>(changes: readonly Change[], change: Change): Change[] => [
  ...changes.filter(({ titleId }) => titleId !== change.titleId),
  change,
];

/** The wishes after the changes, the latest first and each title once; what is saved already stays where it is. */
export const applied = (wishes: readonly Wish[], changes: readonly WishChange[]): Wish[] =>
  changes.reduce<Wish[]>(
    (list, { titleId, isSaved, savedAt = '' }) => {
      if (!isSaved) return list.filter((wish) => wish.titleId !== titleId);
      return list.some((wish) => wish.titleId === titleId) ? list : [{ titleId, savedAt }, ...list];
    },
    [...wishes],
  );
