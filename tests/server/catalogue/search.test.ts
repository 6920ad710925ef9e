import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countPurchases } from '../../../server/catalogue/popularity.ts';
import { up as addRelevance } from '../../../server/database/migrations/12-relevance.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const makeTitle = (id: string, name: string, overrides: Partial<NewTitle> = {}): NewTitle => ({
  id,
  medium: 'epub',
  name,
  authors: ['Ada Quill'],
  prices: [{ amount: 0, currency: 'EUR' }],
  ...overrides,
});

const titles: NewTitle[] = [
  makeTitle('described', 'A Walk', { description: '<p class="hidden">Along the <b>salt</b>&nbsp;pans.</p>', popularity: 900 }),
  makeTitle('author', 'Quiet Field', { authors: ['Henry Salt'], popularity: 800 }),
  makeTitle('prefix', 'Saltwater Songs', { popularity: 700 }),
  makeTitle('road', 'The Salt Road', { popularity: 600 }),
  makeTitle('exact', 'Salt', { popularity: 1 }),
  makeTitle('keeper', 'The Lighthouse Keeper', { cover: { file: 'covers/cover.jpg', smallFile: 'covers/small.jpg' } }),
  makeTitle('accents', 'Søren’s Été', { medium: 'audio', authors: ['Zoë Łukasz'] }),
  makeTitle('han', '灯塔看守人的日记', { description: '一位老人每天晚上在海边的灯塔里写下他看见的船。' }),
];

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ titles, categories: [] });
});
afterAll(() => shop.close());

type Query = Record<string, string | number | undefined>;
type Page = { Title?: { TitleId: string }[]; total?: number; next?: string; meant?: string };

const readPage = async (query: Query): Promise<Page> =>
  (await shop.call('titles', '/titles', { query: { shelfid: store, ...query } })).value as Page;
const getTitleIds = (page: Page) => page.Title?.map(({ TitleId }) => TitleId) ?? [];

/** All pages of a list, in order. */
async function readAllIds(query: Query): Promise<string[]> {
  const page = await readPage(query);
  return page.next ? [...getTitleIds(page), ...(await readAllIds({ ...query, cursor: page.next }))] : getTitleIds(page);
}

describe('a search is sorted by relevance', () => {
  const idsByRelevance = ['exact', 'road', 'prefix', 'author', 'described'];

  test('a search ranks the whole name first, then words of the name, prefixes, people and descriptions', async () => {
    expect(await readPage({ search: 'salt' })).toMatchObject({ total: 5 });
    expect(getTitleIds(await readPage({ search: 'salt' }))).toEqual(idsByRelevance);
    expect(getTitleIds(await readPage({ search: 'salt', sort: 'relevance' }))).toEqual(idsByRelevance);
    expect(getTitleIds(await readPage({ search: 'Salt', sort: 'no-such-order' }))).toEqual(idsByRelevance);
  });

  test('the order by relevance continues across pages', async () => {
    expect(await readAllIds({ search: 'salt', limit: 1 })).toEqual(idsByRelevance);
    expect(await readAllIds({ search: 'salt', limit: 2 })).toEqual(idsByRelevance);
  });

  test('a search is sorted in another order on request', async () => {
    expect(getTitleIds(await readPage({ search: 'salt', sort: 'popular' }))).toEqual([
      'described',
      'author',
      'prefix',
      'road',
      'exact',
    ]);
  });

  test('a list without a search cannot be sorted by relevance', async () => {
    expect(getTitleIds(await readPage({ sort: 'relevance' }))).toEqual(getTitleIds(await readPage({})));
  });
});

describe('a search with very many results', () => {
  const makersByMatch: ((index: number) => Partial<NewTitle> & { name: string })[] = [
    () => ({ name: 'Brine' }),
    (index) => ({ name: `Brine ${index}` }),
    (index) => ({ name: `Brineshore ${index}` }),
    (index) => ({ name: `Harbour ${index}`, authors: ['Henry Brine'] }),
    (index) => ({ name: `Quay ${index}`, authors: ['Ann Brinewell'] }),
    (index) => ({ name: `Tide ${index}`, description: '<p>Full of brine and kelp.</p>' }),
  ];
  /**
   * Makes titles that match in different ways: `counts` has the number for each maker. Some titles
   * share a popularity.
   * @returns the titles in the order of relevance
   */
  const makeTitles = (counts: number[]): NewTitle[] =>
    counts.flatMap((count, match) =>
      Array.from({ length: count }, (_, index) => {
        const id = `${match}-${String(index).padStart(3, '0')}`;
        const { name, ...overrides } = makersByMatch[match]?.(index) ?? { name: '' };
        return makeTitle(id, name, { popularity: index % 7, ...overrides });
      }).toSorted((a, b) => (b.popularity ?? 0) - (a.popularity ?? 0) || (a.id < b.id ? 1 : -1)),
    );
  const getId = ({ id }: NewTitle) => id;

  test.each([
    ['by name', [3, 140, 120, 130, 110, 60]],
    ['by descriptions', [2, 6, 5, 4, 3, 540]],
  ])('a search with very many results has the best matches first, %s, across pages', async (_match, counts) => {
    const expected = makeTitles(counts);
    const brineStore = await shop.store({ titles: expected.toReversed(), categories: [] });
    expect(await readAllIds({ shelfid: brineStore, search: 'brine', limit: 40 })).toEqual(expected.map(getId));
    expect(await readPage({ shelfid: brineStore, search: 'brine' })).not.toHaveProperty('total');
  });
});

describe('the tolerance of a search', () => {
  test.each([
    ['of the order of words', 'road salt', ['road']],
    ['of missing accents', 'soren ete lukasz', ['accents']],
    ['of wrong accents', 'sörèn', ['accents']],
    ['of words in several fields', 'quill lighthouse', ['keeper']],
    ['of markup, whose text is not searched', 'hidden', []],
    ['of punctuation', '“salt” & (road)!', ['road']],
    ['of a prefix of a word in the description', 'pan walk', ['described']],
  ])('a search is tolerant %s', async (_deviation, search, expected) => {
    const page = await readPage({ search });
    expect(getTitleIds(page)).toEqual(expected);
    expect(page).not.toHaveProperty('meant');
  });

  test.each([
    ['an extra character', 'lightthouse', 'lighthouse'],
    ['a missing character', 'lighthose keeper', 'lighthouse keeper'],
    ['a wrong character', 'lighthause', 'lighthouse'],
    ['swapped characters', 'ligthhouse kepeer', 'lighthouse keeper'],
    ['a wrong first character', 'kighthouse', 'lighthouse'],
    ['an unfinished word', 'ligthou', 'lighthouse'],
  ])('a search corrects %s, and returns the corrected text', async (_mistake, search, meant) => {
    for (const sort of [undefined, 'title']) {
      const page = await readPage({ search, sort });
      expect(getTitleIds(page)).toEqual(['keeper']);
      expect(page).toMatchObject({ meant, total: 1 });
    }
  });

  test('a search is corrected to the title’s spelling', async () => {
    expect(await readPage({ search: 'soeren' })).toMatchObject({ meant: 'søren' });
  });

  test('a search corrects neither a short word nor a word that is near no other', async () => {
    for (const search of ['wlk', 'xylophone', 'salt xylophone']) expect(await readPage({ search })).toMatchObject({ total: 0 });
  });

  test('a search in a script without spaces matches from any character on', async () => {
    expect(getTitleIds(await readPage({ search: '看守人' }))).toEqual(['han']);
    expect(getTitleIds(await readPage({ search: '每天晚上在海边的灯塔里写下' }))).toEqual(['han']);
    expect(getTitleIds(await readPage({ search: '每天晚上在海边的灯塔里睡觉' }))).toEqual([]);
  });

  test('a search corrects only the misspelt word; known words remain as typed', async () => {
    const otherStore = await shop.store({
      titles: [
        makeTitle('salt-road', 'The Salt Road', { popularity: 1 }),
        makeTitle('malt-road', 'Malt Road', { popularity: 900 }),
      ],
      categories: [],
    });
    const page = await readPage({ shelfid: otherStore, search: 'salt raod' });
    expect([getTitleIds(page), page.meant]).toEqual([['salt-road'], 'salt road']);
    expect(await readPage({ shelfid: otherStore, search: 'salt', titletype: 2 })).not.toHaveProperty('meant');
  });

  test('a search that is corrected by a narrator’s name returns no corrected text', async () => {
    const talk = makeTitle('talk', 'A Talk', { narrators: ['John Smith'] });
    const otherStore = await shop.store({ titles: [talk], categories: [] });
    const page = await readPage({ shelfid: otherStore, search: 'Jonh Smith' });
    expect(getTitleIds(page)).toEqual(['talk']);
    expect(page).not.toHaveProperty('meant');
  });

  test('an unlisted title is no longer used for corrections', async () => {
    const otherStore = await shop.store({ titles, categories: [] });
    expect(await readPage({ shelfid: otherStore, search: 'lighthose' })).toMatchObject({ meant: 'lighthouse' });
    await shop.db
      .updateTable('titles')
      .set({ listed: false })
      .where('store_id', '=', otherStore)
      .where('id', '=', 'keeper')
      .execute();
    expect(await readPage({ shelfid: otherStore, search: 'lighthose' })).toMatchObject({ total: 0 });
  });
});

test('suggested titles have their cover, authors and medium, also after a typo', async () => {
  const suggest = async (search: string) =>
    (await shop.call('suggestions', '/titles/suggestions', { query: { shelfid: store, search } })).value;
  const keeper = { kind: 'title', text: 'The Lighthouse Keeper', id: 'keeper', authors: ['Ada Quill'], medium: 'epub' };
  const coverUrl = `/media/covers/${store}/keeper/small.jpg`;
  expect(await suggest('light')).toEqual({ suggestions: [{ ...keeper, coverUrl }] });
  expect(await suggest('ligth')).toEqual({ suggestions: [{ ...keeper, coverUrl }] });
  expect(await suggest('luk')).toEqual({
    suggestions: [
      { kind: 'author', text: 'Zoë Łukasz' },
      { kind: 'title', text: 'Søren’s Été', id: 'accents', authors: ['Zoë Łukasz'], medium: 'audio' },
    ],
  });
});

test.each(['harbour', 'harbuor'])('pages of a search for %s have every title once, ties included', async (search) => {
  const matchingTitles = Array.from({ length: 650 }, (_, index) =>
    makeTitle(`t${index}`, index % 2 === 0 ? 'Harbour' : `Part ${index} of the Harbours`, { popularity: index % 3 }),
  );
  const otherStore = await shop.store({ titles: matchingTitles, categories: [] });
  const pagedIds = await readAllIds({ shelfid: otherStore, search, limit: 100 });
  expect(pagedIds).toHaveLength(650);
  expect(new Set(pagedIds).size).toBe(650);
  expect(await readAllIds({ shelfid: otherStore, search, limit: 650 })).toEqual(pagedIds);
});

test('the order by popularity counts acquisitions; equally popular titles keep their order', async () => {
  const otherStore = await shop.store({ titles: ['a', 'b', 'c', 'd'].map((id) => makeTitle(id, `Title ${id}`)), categories: [] });
  const listByPopularity = () => readAllIds({ shelfid: otherStore, sort: 'popular', limit: 3 });
  const acquire = async (titleId: string) => {
    const { query } = await createCustomer(shop, otherStore);
    await shop.call('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId } });
  };
  expect(await listByPopularity()).toEqual(['d', 'c', 'b', 'a']);
  for (const id of ['b', 'a', 'b']) await acquire(id);
  await countPurchases(shop.db);
  expect(await listByPopularity()).toEqual(['b', 'a', 'd', 'c']);
  for (const id of ['a', 'a']) await acquire(id);
  await countPurchases(shop.db);
  await countPurchases(shop.db);
  expect(await listByPopularity()).toEqual(['a', 'b', 'd', 'c']);
});

test('titles from before the migration are found in the same way', async () => {
  const oldShop = await openShop();
  const shelfid = await oldShop.store({ titles, categories: [] });
  await sql`alter table titles drop column search_names, drop column purchases_counted`.execute(oldShop.db);
  await oldShop.db.updateTable('titles').set({ search_words: '' }).execute();
  await addRelevance(oldShop.db as unknown as Kysely<unknown>);
  const { value } = await oldShop.call('titles', '/titles', { query: { shelfid, search: 'salt' } });
  expect(getTitleIds(value as Page)).toEqual(['exact', 'road', 'prefix', 'author', 'described']);
  await oldShop.close();
});
