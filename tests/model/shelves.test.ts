import { expect, test } from 'vitest';
import { enough, shelfSize, shelvesOf, type Carousel } from '../../machines/model/catalogue/shelves.ts';
import { summary } from '../../machines/path-models/path-model.ts';

/** A carousel of titles with these ids. */
const carousel = (type: Carousel['type'], ...ids: number[]): Carousel => ({
  type,
  titles: ids.map((id) => ({ ...summary, id: String(id) })),
  total: ids.length,
});

const run = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

/** Each shelf as its kinds, the ids that stand on it, and a plus where others fill it. */
const shown = (...carousels: Carousel[]): string[] =>
  shelvesOf(carousels).map(
    ({ kinds, titles, isFilled }) =>
      `${kinds.map(({ type }) => type).join('+')}${isFilled ? '+' : ''}: ${titles.map(({ id }) => id).join(' ')}`,
  );

test('a kind that fills a row has one of its own', () => {
  expect(shown(carousel('all', ...run(1, 16)), carousel('ebook', ...run(1, 8)), carousel('audio', ...run(20, enough)))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'ebook: 1 2 3 4 5 6 7 8',
    'audio: 20 21 22 23 24',
  ]);
});

test('kinds that do not are one row', () => {
  expect(shown(carousel('all', ...run(1, 16)), carousel('audio', 20, 21, 22), carousel('video', 30, 31))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'audio+video: 20 21 22 30 31',
  ]);
});

test('a row that is short still is filled with what stands on no other place of the page, and nothing twice', () => {
  expect(shown(carousel('all', ...run(1, 12)), carousel('audio', 9, 20))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'audio+: 9 20 10 11 12',
  ]);
});

test('what fills no row stands among the newest alone', () => {
  expect(shown(carousel('all', ...run(1, 10)), carousel('audio', 20))).toEqual(['all: 1 2 3 4 5 6 7 8']);
  expect(shown(carousel('all', 1, 2, 3), carousel('ebook', 1, 2), carousel('video', 3))).toEqual(['all: 1 2 3']);
});

test('where the newest did not come, short rows are better than none', () => {
  expect(shown(carousel('audio', 1, 2))).toEqual(['audio: 1 2']);
  expect(shown()).toEqual([]);
});

test('a row is never longer than the others', () => {
  const [, together] = shelvesOf([
    carousel('all', ...run(1, 16)),
    carousel('audio', 1, 2, 3, 4),
    carousel('video', 5, 6, 7, 8),
    carousel('interactive', 9),
  ]);
  expect(together?.titles).toHaveLength(shelfSize);
});
