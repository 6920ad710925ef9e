import type { ViewerItem } from '../../machines/model/reading/reading.ts';

/** An item by its number, and the seconds in it. */
export type TrackPoint = { index: number; seconds: number };

/** The stated durations of the items, replaced by those of the loaded files. */
export const createTrackProgress = (items: readonly ViewerItem[]) => {
  const lengths = items.map(({ durationSeconds }) => durationSeconds);

  /** Items of unknown duration count as long as the others on average. */
  const length = (index: number): number => {
    const known = lengths.filter((seconds) => seconds !== null && seconds > 0) as number[];
    const average = known.length === 0 ? 1 : known.reduce((sum, seconds) => sum + seconds, 0) / known.length;
    return lengths[index] ?? average;
  };

  return {
    setLength: (index: number, seconds: number): void => {
      if (Number.isFinite(seconds) && seconds > 0) lengths[index] = seconds;
    },
    totalProgression: ({ index, seconds }: TrackPoint): number => {
      const all = items.map((_, nth) => length(nth));
      const sum = (upTo: number) => all.slice(0, upTo).reduce((total, one) => total + one, 0);
      return Math.min(1, (sum(index) + Math.min(seconds, length(index))) / sum(items.length));
    },
    /** Skipping continues into the neighbouring items, but not beyond the first or the last. */
    skip: ({ index, seconds }: TrackPoint, by: number): TrackPoint => {
      let [item, aim] = [index, seconds + by];
      while (aim < 0 && item > 0 && lengths[item - 1] != null) aim += length(--item);
      while (lengths[item] != null && aim >= length(item) && item < items.length - 1) aim -= length(item++);
      return { index: item, seconds: Math.max(0, aim) };
    },
  };
};
