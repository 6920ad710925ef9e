/** An item of a book and the progress in it, 0 to 1. */
export type ItemPoint = { index: number; progression: number };

/**
 * Converts between progress in an item and in the whole book, by the number of positions of each
 * item (0 for side matter, which does not count as progress).
 */
export const createBookProgress = (counts: readonly number[]) => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const before = (index: number) => counts.slice(0, index).reduce((sum, count) => sum + count, 0);
  return {
    total,
    totalProgression: ({ index, progression }: ItemPoint): number => {
      const inside = Math.min(Math.max(progression, 0), 1) * (counts[index] ?? 0);
      return total === 0 ? 0 : (before(index) + inside) / total;
    },
    /** 1-based. */
    position: ({ index, progression }: ItemPoint): number => {
      const count = counts[index] ?? 0;
      const nth = Math.min(Math.floor(progression * count + 1e-6), Math.max(count - 1, 0));
      return Math.min(before(index) + nth + 1, Math.max(total, 1));
    },
    pointAt: (fraction: number): ItemPoint => {
      const aim = Math.min(Math.max(fraction, 0), 1) * total;
      const last = counts.findLastIndex((count) => count > 0);
      const index = counts.findIndex((count, nth) => count > 0 && before(nth) + count > aim);
      if (index < 0) return { index: Math.max(last, 0), progression: 1 };
      return { index, progression: (aim - before(index)) / (counts[index] ?? 1) };
    },
  };
};
export type BookProgress = ReturnType<typeof createBookProgress>;
