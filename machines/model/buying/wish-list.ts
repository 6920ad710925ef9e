/** A title saved for later; `savedAt` is ISO 8601, empty until known. */
export type Wish = { titleId: string; savedAt: string };

/**
 * Saves a title, or removes it if `isSaved` is false. `savedAt` is the original time of a removed
 * title that is put back; without it, the title is saved as of now.
 */
export type WishChange = { titleId: string; isSaved: boolean; savedAt?: string };

/** The maximum number of titles on a wish list, in the browser and on the server. */
export const MAX_WISHES = 500;

/** Appends a change to the list; each title keeps only its latest change. */
export const addChange = <Change extends WishChange>(changes: readonly Change[], change: Change): Change[] => [
  ...changes.filter(({ titleId }) => titleId !== change.titleId),
  change,
];

/**
 * The wishes after the changes, each title once: a saved title comes first, even if it is put back
 * with an older `savedAt`; a title that is already on the list keeps its position.
 */
export const applyChanges = (wishes: readonly Wish[], changes: readonly WishChange[]): Wish[] =>
  changes.reduce<Wish[]>(
    (list, { titleId, isSaved, savedAt = '' }) => {
      if (!isSaved) return list.filter((wish) => wish.titleId !== titleId);
      return list.some((wish) => wish.titleId === titleId) ? list : [{ titleId, savedAt }, ...list];
    },
    [...wishes],
  );
