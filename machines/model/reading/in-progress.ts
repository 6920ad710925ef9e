import type { OwnedTitle } from '../buying/purchase.ts';

/** The maximum number of titles offered to continue with. */
const MAX_IN_PROGRESS = 8;

const getOpenedAt = ({ lastOpenedAt }: OwnedTitle): number => Date.parse(lastOpenedAt ?? '') || 0;

/** Titles that were started and not finished, last opened first. */
export const selectInProgress = (ownedTitles: readonly OwnedTitle[]): OwnedTitle[] =>
  ownedTitles
    .filter(({ progress, lastOpenedAt }) => lastOpenedAt !== null && progress > 0 && progress < 1)
    .toSorted((a, b) => getOpenedAt(b) - getOpenedAt(a))
    .slice(0, MAX_IN_PROGRESS);
