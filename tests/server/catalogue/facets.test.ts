import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;

const makeTitle = (
  id: string,
  medium: NewTitle['medium'],
  amount: number | null,
  overrides: Partial<NewTitle> = {},
): NewTitle => ({
  id,
  medium,
  name: `Harbour ${id}`,
  authors: ['Ada Quill'],
  language: 'en',
  prices: amount === null ? [] : [{ amount, currency: 'EUR' }],
  ...overrides,
});

const makeTideSeries = (number?: number) => ({
  series: { name: 'The Tide Tables', ...(number === undefined ? {} : { number }) },
});

const titles: NewTitle[] = [
  makeTitle('a', 'epub', 0, { categories: ['novels'], ...makeTideSeries(2) }),
  makeTitle('b', 'pdf', 4.99, { categories: ['novels', 'essays'], language: 'en-GB', ...makeTideSeries(10) }),
  makeTitle('c', 'audio', 5, { categories: ['crime'], language: 'fr', ...makeTideSeries(2.5) }),
  makeTitle('d', 'video', 25, { categories: ['essays'], language: 'FR-ca', authors: ['Bo "Wave" Lind', 'Ada Quill'] }),
  makeTitle('e', 'interactive', null, { categories: ['essays'], language: 'zh-Hans', ...makeTideSeries() }),
  makeTitle('f', 'epub', 9, { language: null, authors: ['ada quill'] }),
  makeTitle('g', 'epub', 5, { listed: false, categories: ['novels'], ...makeTideSeries(1) }),
];

beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    titles: titles.map((each, index) => ({ ...each, addedAt: new Date(Date.UTC(2026, 0, 1) - index * 1000) })),
    categories: [
      { id: 'fiction', name: 'Fiction' },
      { id: 'novels', name: 'Novels', parentId: 'fiction' },
      { id: 'crime', name: 'Crime', parentId: 'novels' },
      { id: 'essays', name: 'Essays' },
      { id: 'bare', name: 'Bare' },
      { id: 'summer', name: 'Summer', kind: 'titleset' },
    ],
  });
});
afterAll(() => shop.close());

type Query = Record<string, string | number | boolean>;
const readList = (query: Query) => shop.call('titles', '/titles', { query: { shelfid: store, ...query } });
const getTitleIds = (value: unknown) => (value as { Title?: { TitleId: string }[] }).Title?.map((each) => each.TitleId) ?? [];
type Facets = {
  Total: number;
  Kinds: { TitleType: number; Count: number }[];
  Categories: { Id: string; Count: number }[];
  Languages: { Language: string; Count: number }[];
  Free: number;
  Prices: { From?: number; To?: number; Count: number }[];
};
const readFacets = async (query: Query = {}) => {
  const { value } = await shop.call('titleFacets', '/titles/facets', { query: { shelfid: store, ...query } });
  const facets = value as unknown as Facets;
  return {
    total: facets.Total,
    kinds: facets.Kinds.map(({ TitleType, Count }) => [TitleType, Count]),
    categories: facets.Categories.map(({ Id, Count }) => [Id, Count]),
    languages: facets.Languages.map(({ Language, Count }) => [Language, Count]),
    free: facets.Free,
    prices: facets.Prices.map(({ From = null, To = null, Count }) => [From, To, Count]),
  };
};

describe('the filters of a list', () => {
  test.each<[string, Query, string[]]>([
    ['of any of several kinds', { kinds: '2,4' }, ['c', 'd']],
    ['of a type and a kind that excludes it', { titletype: 1, kinds: '2' }, []],
    ['in any of several categories and their sub-categories', { categories: 'novels,bare' }, ['a', 'b', 'c']],
    ['in the list’s category and one of several others', { categoryid: 'fiction', categories: 'essays' }, ['b']],
    ['in a category that the store does not have', { categories: 'nowhere' }, []],
    ['in any of several languages, regardless of region and case', { languages: 'FR,zh' }, ['c', 'd', 'e']],
    ['by one of their authors', { author: 'Ada Quill' }, ['a', 'b', 'c', 'd', 'e']],
    ['by a name with quotes', { author: 'Bo "Wave" Lind' }, ['d']],
    ['by an unknown author', { author: 'Ada' }, []],
    ['of a series, in its order, those without a number last', { series: 'The Tide Tables' }, ['a', 'c', 'b', 'e']],
    ['of a series in another order', { series: 'The Tide Tables', sort: 'oldest' }, ['e', 'c', 'b', 'a']],
    ['of an unknown series', { series: 'The Tide' }, []],
    ['by all filters together', { kinds: '1', categories: 'novels', languages: 'en', author: 'Ada Quill', priceto: 1 }, ['a']],
  ])('a list is filtered to titles %s', async (_filter, query, expected) => {
    const { value } = await readList(query);
    expect(getTitleIds(value)).toEqual(expected);
    const pagedIds: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await readList({ ...query, limit: 1, cursor })).value as { next?: string };
      pagedIds.push(...getTitleIds(page));
      if (!page.next) break;
      cursor = page.next;
    }
    expect(pagedIds).toEqual(expected);
    expect((await readFacets(query)).total).toBe(expected.length);
  });

  test.each<Query>([
    { kinds: '5' },
    { kinds: '1,' },
    { categories: 'a b' },
    { languages: "en'" },
    { author: '' },
    { series: 'x'.repeat(201) },
  ])('a list and its facets refuse %o', async (query) => {
    expect((await readList(query)).status).toBe(400);
    expect((await shop.call('titleFacets', '/titles/facets', { query: { shelfid: store, ...query } })).status).toBe(400);
  });
});

describe('each facet counts its options', () => {
  test('the facets of a list without a filter count all its titles', async () => {
    expect(await readFacets()).toEqual({
      total: 6,
      kinds: [
        [1, 3],
        [2, 1],
        [3, 1],
        [4, 1],
      ],
      categories: [
        ['fiction', 3],
        ['essays', 3],
      ],
      languages: [
        ['en', 2],
        ['fr', 2],
        ['zh', 1],
      ],
      free: 1,
      prices: [
        [null, 4.99, 1],
        [5, 9.99, 2],
        [20, null, 1],
      ],
    });
  });

  test('a chosen language narrows all facets except languages', async () => {
    expect(await readFacets({ languages: 'fr' })).toEqual({
      total: 2,
      kinds: [
        [1, 0],
        [2, 1],
        [3, 0],
        [4, 1],
      ],
      categories: [
        ['fiction', 1],
        ['essays', 1],
      ],
      languages: [
        ['en', 2],
        ['fr', 2],
        ['zh', 1],
      ],
      free: 0,
      prices: [
        [null, 4.99, 0],
        [5, 9.99, 1],
        [20, null, 1],
      ],
    });
  });

  test('a price range narrows all facets except the prices and the free titles', async () => {
    const facets = await readFacets({ pricefrom: 4, priceto: 6 });
    expect(facets.total).toBe(2);
    expect(facets.kinds).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
      [4, 0],
    ]);
    expect([facets.free, facets.prices.map(([, , count]) => count)]).toEqual([1, [1, 2, 1]]);
    expect((await readFacets({ free: true, kinds: '1' })).total).toBe(1);
  });

  test.each([
    ['HUF', 1990],
    ['JPY', 1990],
  ])('a price range in %s ends one smallest unit below the next', async (currency, amount) => {
    const prices = [{ amount, currency }];
    const otherStore = await shop.store({ currency, titles: [{ ...makeTitle('a', 'epub', null), prices }] });
    expect((await readFacets({ shelfid: otherStore })).prices).toEqual([[1000, currency === 'JPY' ? 1999 : 1999.99, 1]]);
  });

  test('a chosen category opens its sub-categories and its ancestors', async () => {
    expect((await readFacets({ categories: 'fiction' })).categories).toEqual([
      ['fiction', 3],
      ['novels', 3],
      ['essays', 3],
    ]);
    expect((await readFacets({ categories: 'crime', kinds: '1,2' })).categories).toEqual([
      ['fiction', 3],
      ['novels', 3],
      ['crime', 1],
      ['essays', 1],
    ]);
  });

  test('the facets of a list count only its titles; those of a category’s list have its sub-categories', async () => {
    expect((await readFacets({ categoryid: 'fiction' })).categories).toEqual([['novels', 3]]);
    expect(await readFacets({ titlesetid: 'summer' })).toMatchObject({ total: 0, kinds: [], languages: [] });
    expect((await readFacets({ search: 'harbour' })).total).toBe(6);
    expect((await readFacets({ search: 'harbuor', languages: 'zh' })).total).toBe(1);
    expect((await readFacets({ search: '&|' })).total).toBe(0);
    expect((await readFacets({ titletype: 1 })).kinds).toEqual([[1, 3]]);
  });

  test('the facets of an unknown category are not found', async () => {
    const response = await shop.call('titleFacets', '/titles/facets', { query: { shelfid: store, categoryid: 'nowhere' } });
    expect(response.status).toBe(404);
  });
});

test('a title has its series, its number in the series, and the counts of other titles of series and author', async () => {
  const readRelatedCounts = async (id: string) => {
    const { value } = await shop.call('titleById', `/titles/${id}`, { query: { shelfid: store } });
    const { Series, AuthorTitles } = value as { Series?: object; AuthorTitles?: number };
    return [Series, AuthorTitles];
  };
  // Outside the series, the only other title of Ada Quill is d.
  expect(await readRelatedCounts('c')).toEqual([{ Name: 'The Tide Tables', Number: 2.5, Titles: 3 }, 1]);
  expect(await readRelatedCounts('e')).toEqual([{ Name: 'The Tide Tables', Titles: 3 }, 1]);
  expect(await readRelatedCounts('d')).toEqual([undefined, 0]);
  expect(await readRelatedCounts('f')).toEqual([undefined, 0]);
});
