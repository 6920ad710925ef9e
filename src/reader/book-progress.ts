/** A spine item of a book by its index, and the progression in it, 0 to 1. */
export type ItemPoint = { index: number; progression: number };

/**
 * Converts between progression in an item and in the whole book, by the number of positions of each
 * item (0 for non-linear spine items, which do not count as progress).
 */
export const createBookProgress = (counts: readonly number[]) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const countBefore = (index: number) => counts.slice(0, index).reduce((sum, count) => sum + count, 0);
  return {
    total,
    totalProgression: ({ index, progression }: ItemPoint): number => {
      const positionsInside = Math.min(Math.max(progression, 0), 1) * (counts[index] ?? 0);
      return total === 0 ? 0 : (countBefore(index) + positionsInside) / total;
    },
    /** The position in the whole book, from 1. */
    position: ({ index, progression }: ItemPoint): number => {
      const count = counts[index] ?? 0;
      const positionInItem = Math.min(Math.floor(progression * count + 1e-6), Math.max(count - 1, 0));
      return Math.min(countBefore(index) + positionInItem + 1, Math.max(total, 1));
    },
    /** The item and the progression in it at a fraction of the whole book. */
    pointAt: (fraction: number): ItemPoint => {
      const targetPosition = Math.min(Math.max(fraction, 0), 1) * total;
      const last = counts.findLastIndex((count) => count > 0);
      const index = counts.findIndex((count, at) => count > 0 && countBefore(at) + count > targetPosition);
      if (index < 0) return { index: Math.max(last, 0), progression: 1 };
      return { index, progression: (targetPosition - countBefore(index)) / (counts[index] ?? 1) };
    },
  };
};
export type BookProgress = ReturnType<typeof createBookProgress>;
