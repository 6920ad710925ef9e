import type { OwnedTitle } from '../buying/purchase.ts';

/** The maximum number of titles offered to continue with. */
const mostBegun = 8;

const openedAt = ({ lastOpenedAt }: OwnedTitle): number => Date.parse(lastOpenedAt ?? '') || 0;

/** Titles that were started and not finished, last opened first. */
export const lastBegun = (owned: readonly OwnedTitle[]): OwnedTitle[] =>
  owned
    .filter(({ progress, lastOpenedAt }) => lastOpenedAt !== null && progress > 0 && progress < 1)
    .toSorted((a, b) => openedAt(b) - openedAt(a))
    .slice(0, mostBegun);
