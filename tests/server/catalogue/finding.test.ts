import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;

const makeTitle = (id: string, name: string, amount: number | null, overrides: Partial<NewTitle> = {}): NewTitle => ({
  id,
  medium: 'epub',
  name,
  authors: ['Ada Quill'],
  prices: amount === null ? [] : [{ amount, currency: 'EUR' }],
  ...overrides,
});

const titles: NewTitle[] = [
  makeTitle('a', 'Harbour Light', 0, { categories: ['deep'], popularity: 1 }),
  makeTitle('b', 'Harbour Lights / Two', 4.99, { categories: ['middle', 'summer'], popularity: 5 }),
  makeTitle('c', 'The Harbour', 5, {
    medium: 'audio',
    categories: ['root'],
    popularity: 3,
    authors: ['Harbin Lee', 'Ada Quill'],
  }),
  makeTitle('d', 'Quiet Field', 12.5, { categories: ['summer', 'printed'], authors: ['Zoë Harbottle'] }),
  makeTitle('e', 'Unpriced', null),
  makeTitle('f', 'Cache Back', 0, { forSale: false }),
  makeTitle('g', 'Harbour Unlisted', 5, { listed: false }),
];

beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    titles: titles.map((title, index) => ({ ...title, addedAt: new Date(Date.UTC(2026, 0, 1) - index * 1000) })),
    categories: [
      { id: 'summer', name: 'Summer <Reading>', kind: 'titleset' },
      { id: 'printed', name: 'Printed', kind: 'catalog' },
      { id: 'root', name: 'Harbours', tagId: 'harbours' },
      { id: 'middle', name: 'Sea', parentId: 'root', tagId: 'sea' },
      { id: 'deep', name: 'Deep Sea', parentId: 'middle' },
      { id: 'astray', name: 'Astray', parentId: 'printed' },
      { id: 'one', name: 'One', parentId: null },
      { id: 'two', name: 'Two', parentId: 'one' },
    ],
  });
  await shop.db
    .updateTable('categories')
    .set({ parent_id: 'two' })
    .where('store_id', '=', store)
    .where('id', '=', 'one')
    .execute();
});
afterAll(() => shop.close());

type Query = Record<string, string | number | boolean>;
const readList = (query: Query) => shop.call('titles', '/titles', { query: { shelfid: store, ...query } });
const getTitleIds = (value: unknown) => (value as { Title?: { TitleId: string }[] }).Title?.map((title) => title.TitleId);

test.each<[string, Query, string[]]>([
  ['at a price or above', { pricefrom: 5 }, ['c', 'd']],
  ['up to a price', { priceto: 4.99 }, ['a', 'b']],
  ['between prices', { pricefrom: 4.99, priceto: 5 }, ['b', 'c']],
  ['between prices in the wrong order', { pricefrom: 5, priceto: 1 }, []],
  ['that are free', { free: true }, ['a']],
  ['that are free or not', { free: false }, ['a', 'b', 'c', 'd', 'e', 'f']],
  ['by type, category and price', { titletype: 1, categoryid: 'root', priceto: 1 }, ['a']],
  ['by words and price', { search: 'harb light', pricefrom: 1 }, ['b']],
  ['in a title set [S7.titles]', { titlesetid: 'summer' }, ['b', 'd']],
  ['in a catalog', { catalogid: 'printed' }, ['d']],
  ['in a title set and a category', { titlesetid: 'summer', categoryid: 'root' }, ['b']],
  ['by the end of its address', { name: 'harbour-lights-two' }, ['b']],
  ['by the end of its address in any case', { name: 'The-HARBOUR', titletype: 2 }, ['c']],
  ['by the address of another type', { name: 'the-harbour', titletype: 1 }, []],
])('titles are found %s', async (_filter, query, expected) => {
  const { value } = await readList(query);
  expect(getTitleIds(value)).toEqual(expected);
  expect(value).toMatchObject({ total: expected.length });
  const pagedIds: string[] = [];
  for (let cursor = ''; ;) {
    const page = (await readList({ ...query, limit: 1, cursor })).value as { next?: string; total: number };
    pagedIds.push(...(getTitleIds(page) ?? []));
    if (!page.next) break;
    cursor = page.next;
  }
  expect(pagedIds).toEqual(expected);
});

test('a list has the name of its title set or category', async () => {
  expect((await readList({ titlesetid: 'summer' })).value).toMatchObject({ name: 'Summer <Reading>' });
  expect((await readList({ categoryid: 'deep' })).value).toMatchObject({ name: 'Deep Sea' });
  expect((await readList({ tagid: 'sea', titlesetid: 'summer' })).value).toMatchObject({ name: 'Summer <Reading>' });
  expect((await readList({})).value).not.toHaveProperty('name');
});

test.each<Query>([{ pricefrom: -1 }, { priceto: 'much' }, { pricefrom: 1e300 }, { free: 'perhaps' }])(
  'a list refuses %j',
  async (query) => {
    expect((await readList(query)).status).toBe(400);
  },
);

test('counts follow the listed titles of the store', async () => {
  const otherStore = await shop.store();
  const readTotal = async () => ((await readList({ shelfid: otherStore, limit: 1 })).value as { total: number }).total;
  const readCounts = async () =>
    (
      (await shop.call('categories', '/categories', { query: { shelfid: otherStore } })).value as {
        Category: { Id: string; Count: number }[];
      }
    ).Category.map(({ Id, Count }) => [Id, Count]);
  expect(await readTotal()).toBe(5);
  expect(await readCounts()).toEqual([
    ['fiction', 2],
    ['novels', 2],
    ['essays', 2],
  ]);
  await shop.db
    .updateTable('titles')
    .set({ listed: false })
    .where('store_id', '=', otherStore)
    .where('id', '=', 'sound')
    .execute();
  expect(await readTotal()).toBe(4);
  expect(await readCounts()).toEqual([
    ['fiction', 1],
    ['novels', 1],
    ['essays', 2],
  ]);
  await shop.db.deleteFrom('title_categories').where('store_id', '=', otherStore).where('category_id', '=', 'essays').execute();
  expect(await readCounts()).toEqual([
    ['fiction', 1],
    ['novels', 1],
    ['essays', 0],
  ]);
});

describe('the sub-tree below a category [S7.categories/sub]', () => {
  const listSubcategories = async (categoryid?: string) => {
    const { value } = await shop.call('categories', '/categories', { query: { shelfid: store, categoryid } });
    return (value as { Category: { Id: string; ParentId?: string }[] }).Category.map(({ Id, ParentId }) => [Id, ParentId]);
  };

  test('the sub-tree of a category is complete, and each category in it names its parent', async () => {
    expect(await listSubcategories('root')).toEqual([
      ['middle', 'root'],
      ['deep', 'middle'],
    ]);
    expect(await listSubcategories('deep')).toEqual([]);
  });

  test('the sub-tree of a category ends where categories form a cycle', async () => {
    expect(await listSubcategories('one')).toEqual([['two', 'one']]);
    expect(await listSubcategories('two')).toEqual([['one', 'two']]);
    expect((await readList({ categoryid: 'one' })).value).toMatchObject({ total: 0 });
  });

  test('a category names no parent that is not a category', async () => {
    expect((await listSubcategories()).filter(([id]) => id === 'astray' || id === 'root')).toEqual([
      ['root', undefined],
      ['astray', undefined],
    ]);
  });
});

describe('suggestions while a customer types', () => {
  const suggest = async (search: string, filters: Query = {}) =>
    (
      (await shop.call('suggestions', '/titles/suggestions', { query: { shelfid: store, search, ...filters } })).value as {
        suggestions: { kind: string; text: string; id?: string }[];
      }
    ).suggestions;

  test('suggestions are matching categories and authors, then titles, the best match and then the most popular first', async () => {
    expect(await suggest('harb')).toEqual([
      { kind: 'category', text: 'Harbours', id: 'root' },
      { kind: 'author', text: 'Harbin Lee' },
      { kind: 'author', text: 'Zoë Harbottle' },
      { kind: 'title', text: 'Harbour Lights / Two', id: 'b', authors: ['Ada Quill'], medium: 'epub' },
      { kind: 'title', text: 'The Harbour', id: 'c', authors: ['Harbin Lee', 'Ada Quill'], medium: 'audio' },
      { kind: 'title', text: 'Harbour Light', id: 'a', authors: ['Ada Quill'], medium: 'epub' },
      { kind: 'title', text: 'Quiet Field', id: 'd', authors: ['Zoë Harbottle'], medium: 'epub' },
    ]);
  });

  test('suggestions are at most as many as requested, with a title among them', async () => {
    expect((await suggest('harb', { limit: 2 })).map(({ kind }) => kind)).toEqual(['category', 'title']);
    expect((await suggest('harb', { limit: 1 })).map(({ text }) => text)).toEqual(['Harbour Lights / Two']);
  });

  test('suggestions can be limited to one type of title', async () => {
    expect((await suggest('the', { titletype: 2 })).map(({ id }) => id)).toEqual(['c']);
  });

  test.each(['', '   ', '&|!:*', 'xylophone', '\u0001'])('suggestions are empty for %j', async (search) => {
    expect(await suggest(search)).toEqual([]);
  });
});
