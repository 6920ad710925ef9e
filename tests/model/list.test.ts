import { describe, expect, test } from 'vitest';
import { parseListQuery, changeListPath, toPriceParameters, parsePriceRange } from '../../machines/model/catalogue/list.ts';
import {
  hasMissingTitles,
  isNearEnd,
  joinSlices,
  getFetchRange,
  type ListSlice,
} from '../../machines/model/catalogue/list-window.ts';
import { TitleSummary } from '../../machines/model/catalogue/title.ts';
import * as v from 'valibot';
import { parseRoute } from '../../machines/flows/routes.ts';

const routeAt = (path: string) => {
  const { pathname, search } = new URL(path, 'https://shop.example');
  return parseRoute({ pathname, search });
};

describe('the query in a URL', () => {
  test.each([
    ['/all', { kind: 'all' }],
    ['/audio/', { kind: 'all' }],
    ['/catalog/titles/summer', { kind: 'catalog', id: 'summer' }],
    ['/titleset/titles/7', { kind: 'titleset', id: '7' }],
    ['/all/mystery', { kind: 'category', reference: 'mystery', titleBy: null }],
    ['/audio/the-keeper', { kind: 'category', reference: 'the-keeper', titleBy: 'name' }],
    ['/video/the-keeper/1022', { kind: 'category', reference: '1022', titleBy: 'id' }],
    ['/all/fiction/12', { kind: 'category', reference: '12', titleBy: null }],
    ['/ebook/fiction/mystery/12', { kind: 'category', reference: '12', titleBy: null }],
    ['/ebook/fiction/mystery/cosy/12', { kind: 'category', reference: '12', titleBy: null }],
  ])('the path %s selects %j [S2.sub-category]', (path, expectedOf) =>
    expect(parseListQuery(routeAt(path)).of).toEqual(expectedOf),
  );

  test('every filter in a URL is read', () => {
    const filterQuery = 'kind=audio&category=b,a&language=EN,fr&author=Ada%20Quill&series=The%20Tides&plan=monthly';
    expect(
      parseListQuery(routeAt(`/ebook?search=%20sea%20&sort=price-desc&pricefrom=1.5&priceto=20&free=no&${filterQuery}`)),
    ).toEqual({
      type: 'ebook',
      of: { kind: 'all' },
      search: 'sea',
      sort: 'price-desc',
      priceFrom: 1.5,
      priceTo: 20,
      free: false,
      // A list of one kind cannot be filtered by kind.
      kinds: [],
      categories: ['b', 'a'],
      languages: ['en', 'fr'],
      author: 'Ada Quill',
      series: 'The Tides',
      plan: 'monthly',
    });
  });

  test.each([
    ['/all/new', { sort: 'newest', free: false }],
    ['/all/popular?language=fr', { sort: 'popular', languages: ['fr'] }],
    ['/all/free', { sort: '', free: true }],
    ['/all/free/', { free: true }],
    ['/all/popular?sort=title', { sort: 'title' }],
    ['/all?kind=video,audio,video,film,,all', { kinds: ['video', 'audio'] }],
    ["/all?category=a,b%20c,.d,&language=e,zh-Hans,it,'", { categories: ['a'], languages: ['it'] }],
  ])('the path %s is read as %j', (path, expected) =>
    expect(parseListQuery(routeAt(path))).toMatchObject({ ...expected, of: { kind: 'all' } }),
  );

  test.each([
    'pricefrom=abc&priceto=-1',
    'pricefrom=1e9&priceto=NaN',
    'pricefrom=0x10&priceto=99999999',
    'sort=drop%20table&free=yes',
    `sort=${'x'.repeat(65)}&pricefrom=`,
    '__proto__=1&constructor=2&free',
  ])('impossible values in a URL are left out: %s', (query) => {
    expect(parseListQuery(routeAt(`/all?${query}`))).toMatchObject({ sort: '', priceFrom: null, priceTo: null, free: false });
  });

  test.each([
    ['pricefrom=1e1&priceto=.5e2', 10, 50],
    ['pricefrom=.5&priceto=5.', 0.5, 5],
    ['pricefrom=1.23456789', 1.2346, null],
    ['pricefrom=9&priceto=3', 3, 9],
    ['priceto=0', null, 0],
    ['pricefrom=5&priceto=9&free=true', null, null],
    [`pricefrom=${'1'.repeat(10_000)}x&priceto=1e${'9'.repeat(10_000)}`, null, null],
  ])('prices are numbers, the lower one first, and null if only free titles are listed: %#', (query, priceFrom, priceTo) => {
    expect(parseListQuery(routeAt(`/all?${query}`))).toMatchObject({ priceFrom, priceTo, free: query.includes('free') });
  });

  test('prices written to a URL are read back unchanged', () => {
    const prices = { priceFrom: 0.0001, priceTo: 1_000_000 };
    const parameters = toPriceParameters(prices);
    expect(parameters).toEqual({ pricefrom: '0.0001', priceto: '1000000' });
    expect(parsePriceRange(parameters.pricefrom, parameters.priceto)).toEqual(prices);
    expect(toPriceParameters(parsePriceRange('x', ''))).toEqual({ pricefrom: '', priceto: '' });
  });

  test.each([
    ['%00', ''],
    ['%00sea%0Asalt%7F', 'sea salt'],
    [`${'x'.repeat(199)}%F0%9F%90%8B`, 'x'.repeat(199)],
  ])('a search has no control characters and no half characters: %#', (search, expectedSearch) => {
    expect(parseListQuery(routeAt(`/all?search=${search}`)).search).toBe(expectedSearch);
  });

  test('a search is cut to the contract’s maximum length', () => {
    expect(parseListQuery(routeAt(`/all?search=${'x'.repeat(10_000)}`)).search).toHaveLength(200);
  });
});

describe('the path of a changed list', () => {
  test.each([
    ['/all/a%20b?sort=title', { search: 'sea & salt' }, '/all/a%20b?sort=title&search=sea%20%26%20salt'],
    ['/all?sort=title&search=sea', { sort: '' }, '/all?search=sea'],
    ['/all?sort=title', { sort: '' }, '/all'],
    ['/all?free=', { pricefrom: '5' }, '/all?pricefrom=5'],
    ['/all?code=X&sort=title', { search: 'sea' }, '/all?sort=title&search=sea'],
    ['/all?campaign=june', { sort: 'newest' }, '/all?sort=newest'],
    ['/all/popular', { language: 'en' }, '/all/popular?language=en'],
    ['/all/popular?language=en', { sort: 'title' }, '/all?sort=title&language=en'],
    ['/all/free/', { free: '' }, '/all'],
    ['/all/free?kind=audio', { free: '', pricefrom: '5', priceto: '' }, '/all?kind=audio&pricefrom=5'],
    ['/all/new', {}, '/all/new'],
    ['/all?sort=title&after=abc', { sort: 'price' }, '/all?sort=price'],
  ])('the path %s with the changes %j is %s', (path, changes, expectedPath) =>
    expect(changeListPath(routeAt(path), changes)).toBe(expectedPath),
  );
});

const makeTitles = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) =>
    v.parse(TitleSummary, { id: `t${from + index}`, name: 'x', type: 'ebook', medium: 'epub', cover: null }),
  );
const makeSlice = (from: number, to: number): ListSlice => ({ from, titles: makeTitles(from, to) });
const summarizeSlice = ({ from, titles: loadedTitles }: ListSlice) => [
  from,
  loadedTitles[0]?.id,
  loadedTitles.at(-1)?.id,
  loadedTitles.length,
];

describe('the loaded window of a list', () => {
  test('the loaded window grows at either end up to its limit, and drops titles at the other end', () => {
    expect(summarizeSlice(joinSlices(makeSlice(0, 100), makeSlice(100, 220)))).toEqual([0, 't0', 't219', 220]);
    expect(summarizeSlice(joinSlices(makeSlice(0, 350), makeSlice(350, 450)))).toEqual([50, 't50', 't449', 400]);
    expect(summarizeSlice(joinSlices(makeSlice(300, 600), makeSlice(150, 300)))).toEqual([150, 't150', 't549', 400]);
  });

  test('the loaded window is replaced by titles that do not adjoin it, but not by an empty list', () => {
    expect(summarizeSlice(joinSlices(makeSlice(0, 100), makeSlice(5000, 5200)))).toEqual([5000, 't5000', 't5199', 200]);
    expect(joinSlices(makeSlice(0, 100), makeSlice(700, 700))).toEqual(makeSlice(0, 100));
  });

  test('titles that are missing near the visible ones are detected', () => {
    expect(hasMissingTitles(makeSlice(0, 100), 10_000, { first: 0, last: 30 })).toBe(false);
    expect(hasMissingTitles(makeSlice(0, 100), 10_000, { first: 20, last: 50 })).toBe(true);
    expect(hasMissingTitles(makeSlice(0, 100), 100, { first: 70, last: 99 })).toBe(false);
    expect(hasMissingTitles(makeSlice(300, 700), 10_000, { first: 310, last: 340 })).toBe(true);
  });

  test('the fetched range adjoins the window, or surrounds the visible titles at a distance', () => {
    expect(getFetchRange(makeSlice(0, 100), { first: 40, last: 69 })).toEqual({ from: 100, to: 190 });
    expect(getFetchRange(makeSlice(300, 700), { first: 310, last: 340 })).toEqual({ from: 190, to: 300 });
    expect(getFetchRange(makeSlice(0, 100), { first: 5000, last: 5030 })).toEqual({ from: 4880, to: 5151 });
  });

  test('the visible titles are loaded at every scroll position, in steps down, up and across', () => {
    const count = 3000;
    let loadedSlice = makeSlice(0, 100);
    const scrollTo = (first: number): void => {
      const visible = { first, last: first + 29 };
      while (hasMissingTitles(loadedSlice, count, visible)) {
        const { from, to } = getFetchRange(loadedSlice, visible);
        loadedSlice = joinSlices(loadedSlice, makeSlice(from, Math.min(to, count)));
      }
      const [from, to] = [loadedSlice.from, loadedSlice.from + loadedSlice.titles.length];
      expect([from <= first, to >= Math.min(count, first + 30), loadedSlice.titles.length <= 400]).toEqual([true, true, true]);
    };
    for (let first = 0; first < count; first += 7) scrollTo(first);
    for (let first = count - 1; first > 0; first -= 11) scrollTo(first);
    for (const first of [1500, 0, 2999, 20, 1499]) scrollTo(first);
  });

  test('a list is near its end when at most 60 titles follow the visible ones', () => {
    expect(isNearEnd(100, { first: 0, last: 38 })).toBe(false);
    expect(isNearEnd(100, { first: 0, last: 39 })).toBe(true);
  });
});
