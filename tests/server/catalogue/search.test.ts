import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countPurchases } from '../../../server/catalogue/popularity.ts';
import { up as giveRelevance } from '../../../server/database/migrations/12-relevance.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const named = (id: string, name: string, more: Partial<NewTitle> = {}): NewTitle => ({
  id,
  medium: 'epub',
  name,
  authors: ['Ada Quill'],
  prices: [{ amount: 0, currency: 'EUR' }],
  ...more,
});

const titles: NewTitle[] = [
  named('told', 'A Walk', { description: '<p class="hidden">Along the <b>salt</b>&nbsp;pans.</p>', popularity: 900 }),
  named('writer', 'Quiet Field', { authors: ['Henry Salt'], popularity: 800 }),
  named('begun', 'Saltwater Songs', { popularity: 700 }),
  named('road', 'The Salt Road', { popularity: 600 }),
  named('whole', 'Salt', { popularity: 1 }),
  named('keeper', 'The Lighthouse Keeper', { cover: { file: 'covers/cover.jpg', smallFile: 'covers/small.jpg' } }),
  named('accents', 'Søren’s Été', { medium: 'audio', authors: ['Zoë Łukasz'] }),
  named('han', '灯塔看守人的日记', { description: '一位老人每天晚上在海边的灯塔里写下他看见的船。' }),
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

const list = async (query: Query): Promise<Page> =>
  (await shop.ask('titles', '/titles', { query: { shelfid: store, ...query } })).value as Page;
const idsOf = (page: Page) => page.Title?.map(({ TitleId }) => TitleId) ?? [];

/** All pages of a list, one after another. */
async function read(query: Query): Promise<string[]> {
  const page = await list(query);
  return page.next ? [...idsOf(page), ...(await read({ ...query, cursor: page.next }))] : idsOf(page);
}

describe('a search is sorted by how well titles match', () => {
  const best = ['whole', 'road', 'begun', 'writer', 'told'];

  test('the whole name, words of the name, beginnings of them, people, descriptions', async () => {
    expect(await list({ search: 'salt' })).toMatchObject({ total: 5 });
    expect(idsOf(await list({ search: 'salt' }))).toEqual(best);
    expect(idsOf(await list({ search: 'salt', sort: 'relevance' }))).toEqual(best);
    expect(idsOf(await list({ search: 'Salt', sort: 'no-such-order' }))).toEqual(best);
  });

  test('page by page', async () => {
    expect(await read({ search: 'salt', limit: 1 })).toEqual(best);
    expect(await read({ search: 'salt', limit: 2 })).toEqual(best);
  });

  test('unless another order is asked for', async () => {
    expect(idsOf(await list({ search: 'salt', sort: 'popular' }))).toEqual(['told', 'writer', 'begun', 'road', 'whole']);
  });

  test('what is no search has no such order', async () => {
    expect(idsOf(await list({ sort: 'relevance' }))).toEqual(idsOf(await list({})));
  });
});

describe('a search that finds more than anybody would compare', () => {
  const kinds: ((at: number) => Partial<NewTitle> & { name: string })[] = [
    () => ({ name: 'Brine' }),
    (at) => ({ name: `Brine ${at}` }),
    (at) => ({ name: `Brineshore ${at}` }),
    (at) => ({ name: `Harbour ${at}`, authors: ['Henry Brine'] }),
    (at) => ({ name: `Quay ${at}`, authors: ['Ann Brinewell'] }),
    (at) => ({ name: `Tide ${at}`, description: '<p>Full of brine and kelp.</p>' }),
  ];
  /** So many titles of each kind, with a popularity that several share. @returns them in the order of relevance */
  const made = (counts: number[]): NewTitle[] =>
    counts.flatMap((count, kind) =>
      Array.from({ length: count }, (_, at) => {
        const id = `${kind}-${String(at).padStart(3, '0')}`;
        const { name, ...more } = kinds[kind]?.(at) ?? { name: '' };
        return named(id, name, { popularity: at % 7, ...more });
      }).toSorted((a, b) => (b.popularity ?? 0) - (a.popularity ?? 0) || (a.id < b.id ? 1 : -1)),
    );
  const idOf = ({ id }: NewTitle) => id;

  test.each([
    ['by name', [3, 140, 120, 130, 110, 60]],
    ['by descriptions', [2, 6, 5, 4, 3, 540]],
  ])('has the best first, %s, page by page', async (_how, counts) => {
    const expected = made(counts);
    const harbour = await shop.store({ titles: expected.toReversed(), categories: [] });
    expect(await read({ shelfid: harbour, search: 'brine', limit: 40 })).toEqual(expected.map(idOf));
    expect(await list({ shelfid: harbour, search: 'brine' })).not.toHaveProperty('total');
  });
});

describe('a search is tolerant', () => {
  test.each([
    ['of the order of words', 'road salt', ['road']],
    ['of accents that are missing', 'soren ete lukasz', ['accents']],
    ['of accents that are wrong', 'sörèn', ['accents']],
    ['of words of several fields', 'quill lighthouse', ['keeper']],
    ['of markup', 'hidden', []],
    ['of signs', '“salt” & (road)!', ['road']],
    ['of a beginning of a description’s word', 'pan walk', ['told']],
  ])('%s', async (_what, search, expected) => {
    const page = await list({ search });
    expect(idsOf(page)).toEqual(expected);
    expect(page).not.toHaveProperty('meant');
  });

  test.each([
    ['a letter too many', 'lightthouse', 'lighthouse'],
    ['a letter too few', 'lighthose keeper', 'lighthouse keeper'],
    ['another letter', 'lighthause', 'lighthouse'],
    ['letters swapped', 'ligthhouse kepeer', 'lighthouse keeper'],
    ['another first letter', 'kighthouse', 'lighthouse'],
    ['an unfinished word', 'ligthou', 'lighthouse'],
  ])('of %s, and says what it took it for', async (_what, search, meant) => {
    for (const sort of [undefined, 'title']) {
      const page = await list({ search, sort });
      expect(idsOf(page)).toEqual(['keeper']);
      expect(page).toMatchObject({ meant, total: 1 });
    }
  });

  test('and says it in the spelling of the title', async () => {
    expect(await list({ search: 'soeren' })).toMatchObject({ meant: 'søren' });
  });

  test('but takes no short word for another, and finds nothing where nothing is near', async () => {
    for (const search of ['wlk', 'xylophone', 'salt xylophone']) expect(await list({ search })).toMatchObject({ total: 0 });
  });

  test('a script without blanks is searched from any of its letters on', async () => {
    expect(idsOf(await list({ search: '看守人' }))).toEqual(['han']);
    expect(idsOf(await list({ search: '每天晚上在海边的灯塔里写下' }))).toEqual(['han']);
    expect(idsOf(await list({ search: '每天晚上在海边的灯塔里睡觉' }))).toEqual([]);
  });

  test('of the word that is misspelt alone: what the shop has words for is meant as it is typed', async () => {
    const own = await shop.store({
      titles: [
        named('salt-road', 'The Salt Road', { popularity: 1 }),
        named('malt-road', 'Malt Road', { popularity: 900 }),
        named('talk', 'A Talk', { narrators: ['John Smith'] }),
      ],
      categories: [],
    });
    const page = await list({ shelfid: own, search: 'salt raod' });
    expect([idsOf(page), page.meant]).toEqual([['salt-road'], 'salt road']);
    expect(await list({ shelfid: own, search: 'salt', titletype: 2 })).not.toHaveProperty('meant');
    expect(await list({ shelfid: own, search: 'Jonh Smith' })).not.toHaveProperty('meant');
  });

  test('a title that changes its listing is no longer taken for what was meant', async () => {
    const own = await shop.store({ titles, categories: [] });
    expect(await list({ shelfid: own, search: 'lighthose' })).toMatchObject({ meant: 'lighthouse' });
    await shop.db.updateTable('titles').set({ listed: false }).where('store_id', '=', own).where('id', '=', 'keeper').execute();
    expect(await list({ shelfid: own, search: 'lighthose' })).toMatchObject({ total: 0 });
  });
});

test('suggestions of titles have cover, authors and medium, and bear a typo', async () => {
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

test.each(['harbour', 'harbuor'])('pages of a search for %s hold every title once, ties included', async (search) => {
  const many = Array.from({ length: 650 }, (_, place) =>
    named(`t${place}`, place % 2 === 0 ? 'Harbour' : `Part ${place} of the Harbours`, { popularity: place % 3 }),
  );
  const own = await shop.store({ titles: many, categories: [] });
  const seen = await read({ shelfid: own, search, limit: 100 });
  expect(seen).toHaveLength(650);
  expect(new Set(seen).size).toBe(650);
  expect(await read({ shelfid: own, search, limit: 650 })).toEqual(seen);
});

test('Popular counts what is acquired; titles that are equal keep their places', async () => {
  const own = await shop.store({ titles: ['a', 'b', 'c', 'd'].map((id) => named(id, `Title ${id}`)), categories: [] });
  const popular = () => read({ shelfid: own, sort: 'popular', limit: 3 });
  const acquire = async (titleId: string) => {
    const { query } = await customerOf(shop, own);
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

test('titles from before are found in the same way', async () => {
  const own = await openShop();
  const shelfid = await own.store({ titles, categories: [] });
  await sql`alter table titles drop column search_names, drop column purchases_counted`.execute(own.db);
  await own.db.updateTable('titles').set({ search_words: '' }).execute();
  await giveRelevance(own.db as unknown as Kysely<unknown>);
  const { value } = await own.ask('titles', '/titles', { query: { shelfid, search: 'salt' } });
  expect(idsOf(value as Page)).toEqual(['whole', 'road', 'begun', 'writer', 'told']);
  await own.close();
});
