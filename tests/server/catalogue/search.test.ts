import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countPurchases } from '../../../server/catalogue/popularity.ts';
import { up as giveRelevance } from '../../../server/database/migrations/12-relevance.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const makeTitle = (id: string, name: string, more: Partial<NewTitle> = {}): NewTitle => ({
  id,
  medium: 'epub',
  name,
  authors: ['Ada Quill'],
  prices: [{ amount: 0, currency: 'EUR' }],
  ...more,
});

const titles: NewTitle[] = [
  makeTitle('told', 'A Walk', { description: '<p class="hidden">Along the <b>salt</b>&nbsp;pans.</p>', popularity: 900 }),
  makeTitle('writer', 'Quiet Field', { authors: ['Henry Salt'], popularity: 800 }),
  makeTitle('begun', 'Saltwater Songs', { popularity: 700 }),
  makeTitle('road', 'The Salt Road', { popularity: 600 }),
  makeTitle('whole', 'Salt', { popularity: 1 }),
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
  (await shop.ask('titles', '/titles', { query: { shelfid: store, ...query } })).value as Page;
const getTitleIds = (page: Page) => page.Title?.map(({ TitleId }) => TitleId) ?? [];

/** All pages of a list, in order. */
async function readAllIds(query: Query): Promise<string[]> {
  const page = await readPage(query);
  return page.next ? [...getTitleIds(page), ...(await readAllIds({ ...query, cursor: page.next }))] : getTitleIds(page);
}

describe('a search is sorted by relevance', () => {
  const best = ['whole', 'road', 'begun', 'writer', 'told'];

  test('the whole name, words of the name, prefixes, people, descriptions', async () => {
    expect(await readPage({ search: 'salt' })).toMatchObject({ total: 5 });
    expect(getTitleIds(await readPage({ search: 'salt' }))).toEqual(best);
    expect(getTitleIds(await readPage({ search: 'salt', sort: 'relevance' }))).toEqual(best);
    expect(getTitleIds(await readPage({ search: 'Salt', sort: 'no-such-order' }))).toEqual(best);
  });

  test('across pages', async () => {
    expect(await readAllIds({ search: 'salt', limit: 1 })).toEqual(best);
    expect(await readAllIds({ search: 'salt', limit: 2 })).toEqual(best);
  });

  test('unless another order is requested', async () => {
    expect(getTitleIds(await readPage({ search: 'salt', sort: 'popular' }))).toEqual([
      'told',
      'writer',
      'begun',
      'road',
      'whole',
    ]);
  });

  test('a list without a search has no such order', async () => {
    expect(getTitleIds(await readPage({ sort: 'relevance' }))).toEqual(getTitleIds(await readPage({})));
  });
});

describe('a search with very many results', () => {
  const kinds: ((at: number) => Partial<NewTitle> & { name: string })[] = [
    () => ({ name: 'Brine' }),
    (at) => ({ name: `Brine ${at}` }),
    (at) => ({ name: `Brineshore ${at}` }),
    (at) => ({ name: `Harbour ${at}`, authors: ['Henry Brine'] }),
    (at) => ({ name: `Quay ${at}`, authors: ['Ann Brinewell'] }),
    (at) => ({ name: `Tide ${at}`, description: '<p>Full of brine and kelp.</p>' }),
  ];
  /**
   * A number of titles of each kind, with shared popularities.
   * @returns them in the order of relevance
   */
  const made = (counts: number[]): NewTitle[] =>
    counts.flatMap((count, kind) =>
      Array.from({ length: count }, (_, at) => {
        const id = `${kind}-${String(at).padStart(3, '0')}`;
        const { name, ...more } = kinds[kind]?.(at) ?? { name: '' };
        return makeTitle(id, name, { popularity: at % 7, ...more });
      }).toSorted((a, b) => (b.popularity ?? 0) - (a.popularity ?? 0) || (a.id < b.id ? 1 : -1)),
    );
  const idOf = ({ id }: NewTitle) => id;

  test.each([
    ['by name', [3, 140, 120, 130, 110, 60]],
    ['by descriptions', [2, 6, 5, 4, 3, 540]],
  ])('has the best first, %s, across pages', async (_how, counts) => {
    const expected = made(counts);
    const harbour = await shop.store({ titles: expected.toReversed(), categories: [] });
    expect(await readAllIds({ shelfid: harbour, search: 'brine', limit: 40 })).toEqual(expected.map(idOf));
    expect(await readPage({ shelfid: harbour, search: 'brine' })).not.toHaveProperty('total');
  });
});

describe('a search is tolerant', () => {
  test.each([
    ['of the order of words', 'road salt', ['road']],
    ['of missing accents', 'soren ete lukasz', ['accents']],
    ['of wrong accents', 'sörèn', ['accents']],
    ['of words in several fields', 'quill lighthouse', ['keeper']],
    ['of markup, whose text is not searched', 'hidden', []],
    ['of punctuation', '“salt” & (road)!', ['road']],
    ['of a prefix of a word in the description', 'pan walk', ['told']],
  ])('%s', async (_what, search, expected) => {
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
  ])('of %s, and returns the corrected text', async (_what, search, meant) => {
    for (const sort of [undefined, 'title']) {
      const page = await readPage({ search, sort });
      expect(getTitleIds(page)).toEqual(['keeper']);
      expect(page).toMatchObject({ meant, total: 1 });
    }
  });

  test('and corrects it to the title’s spelling', async () => {
    expect(await readPage({ search: 'soeren' })).toMatchObject({ meant: 'søren' });
  });

  test('but does not correct short words, and finds nothing without a near word', async () => {
    for (const search of ['wlk', 'xylophone', 'salt xylophone']) expect(await readPage({ search })).toMatchObject({ total: 0 });
  });

  test('a script without spaces is searched from any character on', async () => {
    expect(getTitleIds(await readPage({ search: '看守人' }))).toEqual(['han']);
    expect(getTitleIds(await readPage({ search: '每天晚上在海边的灯塔里写下' }))).toEqual(['han']);
    expect(getTitleIds(await readPage({ search: '每天晚上在海边的灯塔里睡觉' }))).toEqual([]);
  });

  test('of a single misspelt word: known words are kept as typed', async () => {
    const own = await shop.store({
      titles: [
        makeTitle('salt-road', 'The Salt Road', { popularity: 1 }),
        makeTitle('malt-road', 'Malt Road', { popularity: 900 }),
        makeTitle('talk', 'A Talk', { narrators: ['John Smith'] }),
      ],
      categories: [],
    });
    const page = await readPage({ shelfid: own, search: 'salt raod' });
    expect([getTitleIds(page), page.meant]).toEqual([['salt-road'], 'salt road']);
    expect(await readPage({ shelfid: own, search: 'salt', titletype: 2 })).not.toHaveProperty('meant');
    expect(await readPage({ shelfid: own, search: 'Jonh Smith' })).not.toHaveProperty('meant');
  });

  test('an unlisted title is no longer used for corrections', async () => {
    const own = await shop.store({ titles, categories: [] });
    expect(await readPage({ shelfid: own, search: 'lighthose' })).toMatchObject({ meant: 'lighthouse' });
    await shop.db.updateTable('titles').set({ listed: false }).where('store_id', '=', own).where('id', '=', 'keeper').execute();
    expect(await readPage({ shelfid: own, search: 'lighthose' })).toMatchObject({ total: 0 });
  });
});

test('suggested titles have cover, authors and medium, and tolerate a typo', async () => {
  const suggest = async (search: string) =>
    (await shop.ask('suggestions', '/titles/suggestions', { query: { shelfid: store, search } })).value;
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
  const many = Array.from({ length: 650 }, (_, place) =>
    makeTitle(`t${place}`, place % 2 === 0 ? 'Harbour' : `Part ${place} of the Harbours`, { popularity: place % 3 }),
  );
  const own = await shop.store({ titles: many, categories: [] });
  const seen = await readAllIds({ shelfid: own, search, limit: 100 });
  expect(seen).toHaveLength(650);
  expect(new Set(seen).size).toBe(650);
  expect(await readAllIds({ shelfid: own, search, limit: 650 })).toEqual(seen);
});

test('Popular counts acquisitions; equally popular titles keep their order', async () => {
  const own = await shop.store({ titles: ['a', 'b', 'c', 'd'].map((id) => makeTitle(id, `Title ${id}`)), categories: [] });
  const popular = () => readAllIds({ shelfid: own, sort: 'popular', limit: 3 });
  const acquire = async (titleId: string) => {
    const { query } = await createCustomer(shop, own);
    await shop.ask('purchaseFreeTitle', '/purchase/free', { query: { ...query, titleId } });
  };
  expect(await popular()).toEqual(['d', 'c', 'b', 'a']);
  for (const id of ['b', 'a', 'b']) await acquire(id);
  await countPurchases(shop.db);
  expect(await popular()).toEqual(['b', 'a', 'd', 'c']);
  for (const id of ['a', 'a']) await acquire(id);
  await countPurchases(shop.db);
  await countPurchases(shop.db);
  expect(await popular()).toEqual(['a', 'b', 'd', 'c']);
});

test('titles from before the migration are found in the same way', async () => {
  const own = await openShop();
  const shelfid = await own.store({ titles, categories: [] });
  await sql`alter table titles drop column search_names, drop column purchases_counted`.execute(own.db);
  await own.db.updateTable('titles').set({ search_words: '' }).execute();
  await giveRelevance(own.db as unknown as Kysely<unknown>);
  const { value } = await own.ask('titles', '/titles', { query: { shelfid, search: 'salt' } });
  expect(getTitleIds(value as Page)).toEqual(['whole', 'road', 'begun', 'writer', 'told']);
  await own.close();
});
