import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FIRST_WINDOW_TITLES } from '../../../machines/model/store/server-rendering.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openShop, type Shop } from '../support/shop.ts';

const TITLE_COUNT = 5000;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1);

/** Many titles share a name, a price and a date, so that only the tie-break orders them. */
const titles = Array.from({ length: TITLE_COUNT }, (_, index): NewTitle => ({
  id: `t${index}`,
  medium: index % 3 === 0 ? 'audio' : 'epub',
  name: `Title ${index % 40}`,
  authors: [`Author ${index % 11}`],
  prices: [{ amount: (index % 7) + 0.5, currency: 'EUR' }],
  addedAt: new Date(FIRST_DAY_MS + (index % 50)),
}));

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({ titles, categories: [] });
});
afterAll(() => shop.close());

type Page = {
  total: number;
  next?: string;
  behindFirst?: string;
  Title: { TitleId: string; Name: string; TitlePrice: number }[];
};

async function readAll(query: Record<string, string | number>): Promise<Page['Title']> {
  const allTitles: Page['Title'] = [];
  let cursor: string | undefined;
  do {
    const { value } = await shop.call('titles', '/titles', {
      query: { shelfid: store, limit: 100, ...query, cursor },
    });
    const page = value as Page;
    allTitles.push(...page.Title);
    cursor = page.next;
  } while (cursor);
  return allTitles;
}

test.each(['newest', 'title', 'title-desc', 'author', 'price-desc', 'popular'])(
  'the pages of a list sorted by %s have every title once',
  async (sort) => {
    const pagedTitles = await readAll({ sort });
    expect(pagedTitles).toHaveLength(TITLE_COUNT);
    expect(new Set(pagedTitles.map((title) => title.TitleId)).size).toBe(TITLE_COUNT);
  },
);

test.each(['title', 'price', 'newest'])(
  'a list sorted by %s continues from the cursor behind the titles of a first screen',
  async (sort) => {
    const readPage = async (limit: number, cursor?: string) =>
      (await shop.call('titles', '/titles', { query: { shelfid: store, sort, limit, cursor } })).value as Page;
    const { Title: first, behindFirst } = await readPage(100);
    expect((await readPage(FIRST_WINDOW_TITLES, behindFirst)).Title).toEqual(
      first.slice(FIRST_WINDOW_TITLES, 2 * FIRST_WINDOW_TITLES),
    );
    // In a response of exactly one first screen both cursors are equal; a shorter one has none.
    const { next, behindFirst: behindAll } = await readPage(FIRST_WINDOW_TITLES);
    expect([behindAll, (await readPage(FIRST_WINDOW_TITLES - 1)).behindFirst]).toEqual([next, undefined]);
  },
);

test('prices rise from page to page', async () => {
  const prices = (await readAll({ sort: 'price', titletype: 2 })).map((title) => title.TitlePrice);
  expect(prices).toHaveLength(Math.ceil(TITLE_COUNT / 3));
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
});

test('a title unlisted between two pages does not shift the next page', async () => {
  const first = await shop.call('titles', '/titles', {
    query: { shelfid: store, sort: 'title', limit: 100 },
  });
  const { next, total, Title } = first.value as Page;
  await shop.db
    .updateTable('titles')
    .set({ listed: false })
    .where('store_id', '=', store)
    .where('id', '=', Title[0]?.TitleId ?? '')
    .execute();
  const second = await shop.call('titles', '/titles', {
    query: { shelfid: store, sort: 'title', limit: 100, cursor: next },
  });
  const page = second.value as Page;
  expect(page.total).toBe(total);
  expect(page.Title).toHaveLength(100);
  const firstPageIds = new Set(Title.map((title) => title.TitleId));
  expect(page.Title.filter((title) => firstPageIds.has(title.TitleId))).toEqual([]);
});

describe('a response with thousands of titles', () => {
  const fetchPage = async (query: Record<string, string | number>) => {
    const { value, status } = await shop.call('titles', '/titles', {
      query: { shelfid: store, sort: 'title', ...query },
    });
    expect(status).toBe(200);
    return value as Page;
  };
  const getTitleIds = (page: Page) => page.Title.map((title) => title.TitleId);

  test('a long response has the same titles as its pages, and a cursor to the remaining ones', async () => {
    const pagedIds = (await readAll({ sort: 'title' })).map((title) => title.TitleId);
    const first = await fetchPage({ limit: 3210 });
    expect(getTitleIds(first)).toEqual(pagedIds.slice(0, 3210));
    expect(first.total).toBe((await fetchPage({ limit: 1 })).total);
    const remainder = await fetchPage({ limit: 10_000, cursor: first.next ?? '' });
    expect(getTitleIds(remainder)).toEqual(pagedIds.slice(3210));
    expect(remainder.next).toBeUndefined();
  });

  test('a long response is streamed while it is read from the database', async () => {
    const url = await shop.app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/api/titles?shelfid=${store}&limit=5000`);
    const sizes: number[] = [];
    for await (const chunk of response.body ?? []) sizes.push(chunk.byteLength);
    expect(sizes.length).toBeGreaterThan(20);
    expect(response.headers.get('content-length')).toBeNull();
  });

  test('a limit above ten thousand titles is refused', async () => {
    const response = await shop.call('titles', '/titles', {
      query: { shelfid: store, limit: 10_001 },
    });
    expect(response.status).toBe(400);
  });
});
