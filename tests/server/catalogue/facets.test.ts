import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;

const title = (id: string, medium: NewTitle['medium'], amount: number | null, more: Partial<NewTitle> = {}): NewTitle => ({
  id,
  medium,
  name: `Harbour ${id}`,
  authors: ['Ada Quill'],
  language: 'en',
  prices: amount === null ? [] : [{ amount, currency: 'EUR' }],
  ...more,
});

const tideSeries = (number?: number) => ({ series: { name: 'The Tide Tables', ...(number === undefined ? {} : { number }) } });

const titles: NewTitle[] = [
  title('a', 'epub', 0, { categories: ['novels'], ...tideSeries(2) }),
  title('b', 'pdf', 4.99, { categories: ['novels', 'essays'], language: 'en-GB', ...tideSeries(10) }),
  title('c', 'audio', 5, { categories: ['crime'], language: 'fr', ...tideSeries(2.5) }),
  title('d', 'video', 25, { categories: ['essays'], language: 'FR-ca', authors: ['Bo "Wave" Lind', 'Ada Quill'] }),
  title('e', 'interactive', null, { categories: ['essays'], language: 'zh-Hans', ...tideSeries() }),
  title('f', 'epub', 9, { language: null, authors: ['ada quill'] }),
  title('g', 'epub', 5, { listed: false, categories: ['novels'], ...tideSeries(1) }),
];

beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    titles: titles.map((each, place) => ({ ...each, addedAt: new Date(Date.UTC(2026, 0, 1) - place * 1000) })),
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
const readList = (query: Query) => shop.ask('titles', '/titles', { query: { shelfid: store, ...query } });
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
  const { value } = await shop.ask('titleFacets', '/titles/facets', { query: { shelfid: store, ...query } });
  const found = value as unknown as Facets;
  return {
    total: found.Total,
    kinds: found.Kinds.map(({ TitleType, Count }) => [TitleType, Count]),
    categories: found.Categories.map(({ Id, Count }) => [Id, Count]),
    languages: found.Languages.map(({ Language, Count }) => [Language, Count]),
    free: found.Free,
    prices: found.Prices.map(({ From = null, To = null, Count }) => [From, To, Count]),
  };
};

describe('a list is filtered to titles', () => {
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
  ])('%s', async (_what, query, expected) => {
    const { value } = await readList(query);
    expect(getTitleIds(value)).toEqual(expected);
    const paged: string[] = [];
    for (let cursor = ''; ;) {
      const page = (await readList({ ...query, limit: 1, cursor })).value as { next?: string };
      paged.push(...getTitleIds(page));
      if (!page.next) break;
      cursor = page.next;
    }
    expect(paged).toEqual(expected);
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
    expect((await shop.ask('titleFacets', '/titles/facets', { query: { shelfid: store, ...query } })).status).toBe(400);
  });
});

describe('each facet counts its options', () => {
  test('without a filter', async () => {
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

  test('a price range narrows all facets except prices, open-ended or not', async () => {
    const found = await readFacets({ pricefrom: 4, priceto: 6 });
    expect(found.total).toBe(2);
    expect(found.kinds).toEqual([
      [1, 1],
      [2, 1],
      [3, 0],
      [4, 0],
    ]);
    expect([found.free, found.prices.map(([, , count]) => count)]).toEqual([1, [1, 2, 1]]);
    expect((await readFacets({ free: true, kinds: '1' })).total).toBe(1);
  });

  test.each([
    ['HUF', 1990],
    ['JPY', 1990],
  ])('price ranges in %s are as wide as its smallest unit allows', async (currency, amount) => {
    const prices = [{ amount, currency }];
    const other = await shop.store({ currency, titles: [{ ...title('a', 'epub', null), prices }] });
    expect((await readFacets({ shelfid: other })).prices).toEqual([[1000, currency === 'JPY' ? 1999 : 1999.99, 1]]);
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

  test('a category’s list offers its sub-categories; the list of a set or a search offers those of its titles', async () => {
    expect((await readFacets({ categoryid: 'fiction' })).categories).toEqual([['novels', 3]]);
    expect(await readFacets({ titlesetid: 'summer' })).toMatchObject({ total: 0, kinds: [], languages: [] });
    expect((await readFacets({ search: 'harbour' })).total).toBe(6);
    expect((await readFacets({ search: 'harbuor', languages: 'zh' })).total).toBe(1);
    expect((await readFacets({ search: '&|' })).total).toBe(0);
    expect((await readFacets({ titletype: 1 })).kinds).toEqual([[1, 3]]);
  });

  test('an unknown category is not found', async () => {
    const answer = await shop.ask('titleFacets', '/titles/facets', { query: { shelfid: store, categoryid: 'nowhere' } });
    expect(answer.status).toBe(404);
  });
});

test('a title has its series, its number in it, and the number of other titles', async () => {
  const about = async (id: string) => {
    const { value } = await shop.ask('titleById', `/titles/${id}`, { query: { shelfid: store } });
    const { Series, AuthorTitles } = value as { Series?: object; AuthorTitles?: number };
    return [Series, AuthorTitles];
  };
  // Of a, b, c and e only others of the series are by Ada Quill, besides d.
  expect(await about('c')).toEqual([{ Name: 'The Tide Tables', Number: 2.5, Titles: 3 }, 1]);
  expect(await about('e')).toEqual([{ Name: 'The Tide Tables', Titles: 3 }, 1]);
  expect(await about('d')).toEqual([undefined, 0]);
  expect(await about('f')).toEqual([undefined, 0]);
});
