import { expect, test } from 'vitest';
import { MIN_SHELF_TITLES, SHELF_TITLES, toShelves, type Carousel } from '../../machines/model/catalogue/shelves.ts';
import { titleSummary } from '../../machines/path-models/path-model.ts';

/** A carousel of titles with these ids. */
const makeCarousel = (type: Carousel['type'], ...ids: number[]): Carousel => ({
  type,
  titles: ids.map((id) => ({ ...titleSummary, id: String(id) })),
  total: ids.length,
});

const makeRange = (from: number, count: number): number[] => Array.from({ length: count }, (_, index) => from + index);

/** Each shelf as text: its kinds, a plus if titles of other kinds fill it, and its ids. */
const describeShelves = (...carousels: Carousel[]): string[] =>
  toShelves(carousels).map(
    ({ kinds, titles, isFilled }) =>
      `${kinds.map(({ type }) => type).join('+')}${isFilled ? '+' : ''}: ${titles.map(({ id }) => id).join(' ')}`,
  );

test('a kind that fills a row has its own row', () => {
  expect(
    describeShelves(
      makeCarousel('all', ...makeRange(1, 16)),
      makeCarousel('ebook', ...makeRange(1, 8)),
      makeCarousel('audio', ...makeRange(20, MIN_SHELF_TITLES)),
    ),
  ).toEqual(['all: 1 2 3 4 5 6 7 8', 'ebook: 1 2 3 4 5 6 7 8', 'audio: 20 21 22 23 24']);
});

test('kinds that do not fill a row share one', () => {
  expect(
    describeShelves(makeCarousel('all', ...makeRange(1, 16)), makeCarousel('audio', 20, 21, 22), makeCarousel('video', 30, 31)),
  ).toEqual(['all: 1 2 3 4 5 6 7 8', 'audio+video: 20 21 22 30 31']);
});

test('a short row is filled with titles from no other row, without duplicates', () => {
  expect(describeShelves(makeCarousel('all', ...makeRange(1, 12)), makeCarousel('audio', 9, 20))).toEqual([
    'all: 1 2 3 4 5 6 7 8',
    'audio+: 9 20 10 11 12',
  ]);
});

test('titles of a kind without a row are only among the newest', () => {
  expect(describeShelves(makeCarousel('all', ...makeRange(1, 10)), makeCarousel('audio', 20))).toEqual(['all: 1 2 3 4 5 6 7 8']);
  expect(describeShelves(makeCarousel('all', 1, 2, 3), makeCarousel('ebook', 1, 2), makeCarousel('video', 3))).toEqual([
    'all: 1 2 3',
  ]);
});

test('when the newest titles did not load, short rows are shown', () => {
  expect(describeShelves(makeCarousel('audio', 1, 2))).toEqual(['audio: 1 2']);
  expect(describeShelves()).toEqual([]);
});

test('a row is never longer than the others', () => {
  const [, sharedShelf] = toShelves([
    makeCarousel('all', ...makeRange(1, 16)),
    makeCarousel('audio', 1, 2, 3, 4),
    makeCarousel('video', 5, 6, 7, 8),
    makeCarousel('interactive', 9),
  ]);
  expect(sharedShelf?.titles).toHaveLength(SHELF_TITLES);
});
