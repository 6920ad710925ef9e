import type { OwnedTitle } from '../buying/purchase.ts';

/** Titles that are offered to go on with. */
const mostBegun = 8;

const openedAt = ({ lastOpenedAt }: OwnedTitle): number => Date.parse(lastOpenedAt ?? '') || 0;

/** What has been begun and not finished, the last opened first. */
export const lastBegun = (owned: readonly OwnedTitle[]): OwnedTitle[] =>
  owned
    .filter(({ progress, lastOpenedAt }) => lastOpenedAt !== null && progress > 0 && progress < 1)
    .toSorted((a, b) => openedAt(b) - openedAt(a))
    .slice(0, mostBegun);
