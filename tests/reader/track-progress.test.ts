import { expect, test } from 'vitest';
import { createTrackProgress } from '../../src/reader/track-progress.ts';

const createItems = (...durations: (number | null)[]) =>
  durations.map((durationSeconds, index) => ({
    id: `${index}`,
    name: `${index}`,
    url: `https://shop.example/${index}`,
    durationSeconds,
    captions: [],
  }));

test('a duration of 0 counts as unknown, so progress is a number', () => {
  const { totalProgression } = createTrackProgress(createItems(0, 0));
  expect(totalProgression({ index: 1, seconds: 0 })).toBe(0.5);
});

test('an unknown duration counts as the average of the others', () => {
  const { totalProgression } = createTrackProgress(createItems(60, null, 120, 0));
  expect(totalProgression({ index: 2, seconds: 30 })).toBeCloseTo((60 + 90 + 30) / 360);
});

test('skipping stops at an item of unknown duration', () => {
  const { skip } = createTrackProgress(createItems(0, 60, 60));
  expect(skip({ index: 1, seconds: 10 }, -30)).toEqual({ index: 1, seconds: 0 });
  expect(skip({ index: 1, seconds: 50 }, 30)).toEqual({ index: 2, seconds: 20 });
});

test('a loaded duration replaces an unknown one', () => {
  const { setLength, totalProgression } = createTrackProgress(createItems(null, 100));
  setLength(0, 300);
  expect(totalProgression({ index: 0, seconds: 300 })).toBe(0.75);
});
