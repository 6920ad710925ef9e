import type { ViewerItem } from '../../machines/model/reading/reading.ts';

/** An item by its index, and the seconds in it. */
export type TrackPoint = { index: number; seconds: number };

/** Progress over the items, by their stated durations, or by those of the files once loaded. */
export const createTrackProgress = (items: readonly ViewerItem[]) => {
  const lengths = items.map(({ durationSeconds }) => durationSeconds);

  /** Whether the seconds of an item are known: servers state 0 for unknown ones, too. */
  const isKnown = (index: number): boolean => (lengths[index] ?? 0) > 0;

  /** The seconds of an item; an unknown duration counts as the average of the others. */
  const getLength = (index: number): number => {
    const knownLengths = lengths.filter((_, nth) => isKnown(nth)) as number[];
    const average = knownLengths.length === 0 ? 1 : knownLengths.reduce((sum, seconds) => sum + seconds, 0) / knownLengths.length;
    return isKnown(index) ? (lengths[index] as number) : average;
  };

  return {
    setLength: (index: number, seconds: number): void => {
      if (Number.isFinite(seconds) && seconds > 0) lengths[index] = seconds;
    },
    totalProgression: ({ index, seconds }: TrackPoint): number => {
      const allLengths = items.map((_, nth) => getLength(nth));
      const sumBefore = (upTo: number) => allLengths.slice(0, upTo).reduce((total, one) => total + one, 0);
      return Math.min(1, (sumBefore(index) + Math.min(seconds, getLength(index))) / sumBefore(items.length));
    },
    /**
     * Skipping continues into the neighbouring items whose lengths are known, but not beyond the
     * first or the last.
     */
    skip: ({ index, seconds }: TrackPoint, offset: number): TrackPoint => {
      let [item, target] = [index, seconds + offset];
      while (target < 0 && item > 0 && isKnown(item - 1)) target += getLength(--item);
      while (isKnown(item) && target >= getLength(item) && item < items.length - 1) target -= getLength(item++);
      return { index: item, seconds: Math.max(0, target) };
    },
  };
};
