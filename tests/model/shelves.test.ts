import { expect, test } from 'vitest';
import { MIN_SHELF_TITLES, SHELF_TITLES, toShelves, type Carousel } from '../../machines/model/catalogue/shelves.ts';
import { summary } from '../../machines/path-models/path-model.ts';

/** A carousel of titles with these ids. */
const carousel = (type: Carousel['type'], ...ids: number[]): Carousel => ({
  type,
  titles: ids.map((id) => ({ ...summary, id: String(id) })),
  total: ids.length,
});

const run = (from: number, count: number): number[] => Array.from({ length: count }, (_, at) => from + at);

/** Each shelf as its kinds, its ids, and a plus if others fill it. */
const describeShelves = (...carousels: Carousel[]): string[] =>
  toShelves(carousels).map(
    ({ kinds, titles, isFilled }) =>
      `${kinds.map(({ type }) => type).join('+')}${isFilled ? '+' : ''}: ${titles.map(({ id }) => id).join(' ')}`,
  );

test('a kind that fills a row has its own row', () => {
  expect(
    describeShelves(
      carousel('all', ...run(1, 16)),
      carousel('ebook', ...run(1, 8)),
      carousel('audio', ...run(20, MIN_SHELF_TITLES)),
    ),
  ).toEqual(['all: 1 2 3 4 5 6 7 8', 'ebook: 1 2 3 4 5 6 7 8', 'audio: 20 21 22 23 24']);
});

test('kinds that do not fill a row share one', () => {
  expect(describeShelves(carousel('all', ...run(1, 16)), carousel('audio', 20, 21, 22), carousel('video', 30, 31))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'audio+video: 20 21 22 30 31',
  ]);
});

test('a short row is filled with titles from no other row, without duplicates', () => {
  expect(describeShelves(carousel('all', ...run(1, 12)), carousel('audio', 9, 20))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'audio+: 9 20 10 11 12',
  ]);
});

test('titles that fill no row are only among the newest', () => {
  expect(describeShelves(carousel('all', ...run(1, 10)), carousel('audio', 20))).toEqual(['all: 1 2 3 4 5 6 7 8']);
  expect(describeShelves(carousel('all', 1, 2, 3), carousel('ebook', 1, 2), carousel('video', 3))).toEqual(['all: 1 2 3']);
});

test('when the newest titles did not load, short rows are shown', () => {
  expect(describeShelves(carousel('audio', 1, 2))).toEqual(['audio: 1 2']);
  expect(describeShelves()).toEqual([]);
});

test('a row is never longer than the others', () => {
  const [, together] = toShelves([
    carousel('all', ...run(1, 16)),
    carousel('audio', 1, 2, 3, 4),
    carousel('video', 5, 6, 7, 8),
    carousel('interactive', 9),
  ]);
  expect(together?.titles).toHaveLength(SHELF_TITLES);
});
