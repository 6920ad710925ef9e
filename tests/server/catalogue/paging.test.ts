import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { drawnFirst } from '../../../machines/model/store/painting.ts';
import type { NewTitle } from '../../../server/setup/save-title.ts';
import { openShop, type Shop } from '../support/shop.ts';

const COUNT = 5000;
const DAY = Date.UTC(2026, 0, 1);

/** Many share a name, a price and a moment, so that only the tie-break tells them apart. */
const titles = Array.from({ length: COUNT }, (_, index): NewTitle => ({
  id: `t${index}`,
  medium: index % 3 === 0 ? 'audio' : 'epub',
  name: `Title ${index % 40}`,
  authors: [`Author ${index % 11}`],
  prices: [{ amount: (index % 7) + 0.5, currency: 'EUR' }],
  addedAt: new Date(DAY + (index % 50)),
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
  const seen: Page['Title'] = [];
  let cursor: string | undefined;
  do {
    const { value } = await shop.ask('titles', '/titles', {
      query: { shelfid: store, limit: 100, ...query, cursor },
    });
    const page = value as Page;
    seen.push(...page.Title);
    cursor = page.next;
  } while (cursor);
  return seen;
}

test.each(['newest', 'title', 'title-desc', 'author', 'price-desc', 'popular'])(
  'pages by %s hold every title once',
  async (sort) => {
    const seen = await readAll({ sort });
    expect(seen).toHaveLength(COUNT);
    expect(new Set(seen.map((title) => title.TitleId)).size).toBe(COUNT);
  },
);

test.each(['title', 'price', 'newest'])(
  'by %s a list can be read on behind the titles that a first screen draws',
  async (sort) => {
    const read = async (limit: number, cursor?: string) =>
      (await shop.ask('titles', '/titles', { query: { shelfid: store, sort, limit, cursor } })).value as Page;
    const { Title: first, behindFirst } = await read(100);
    expect((await read(drawnFirst, behindFirst)).Title).toEqual(first.slice(drawnFirst, 2 * drawnFirst));
    // Nothing is left of an answer that a first screen draws whole, unless the list is longer.
    const { next, behindFirst: behindAll } = await read(drawnFirst);
    expect([behindAll, (await read(drawnFirst - 1)).behindFirst]).toEqual([next, undefined]);
  },
);

test('prices rise from page to page', async () => {
  const prices = (await readAll({ sort: 'price', titletype: 2 })).map((title) => title.TitlePrice);
  expect(prices).toHaveLength(Math.ceil(COUNT / 3));
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));
});

test('a title that is added between two pages shifts nothing', async () => {
  const first = await shop.ask('titles', '/titles', {
    query: { shelfid: store, sort: 'title', limit: 100 },
  });
  const { next, total, Title } = first.value as Page;
  await shop.db
    .updateTable('titles')
    .set({ listed: false })
    .where('store_id', '=', store)
    .where('id', '=', Title[0]?.TitleId ?? '')
    .execute();
  const second = await shop.ask('titles', '/titles', {
    query: { shelfid: store, sort: 'title', limit: 100, cursor: next },
  });
  const page = second.value as Page;
  expect(page.total).toBe(total);
  expect(page.Title).toHaveLength(100);
  const known = new Set(Title.map((title) => title.TitleId));
  expect(page.Title.filter((title) => known.has(title.TitleId))).toEqual([]);
});

describe('an answer of thousands', () => {
  const ask = async (query: Record<string, string | number>) => {
    const { value, status } = await shop.ask('titles', '/titles', {
      query: { shelfid: store, sort: 'title', ...query },
    });
    expect(status).toBe(200);
    return value as Page;
  };
  const idsOf = (page: Page) => page.Title.map((title) => title.TitleId);

  test('holds the same titles as its pages would, and a cursor to the rest', async () => {
    const paged = (await readAll({ sort: 'title' })).map((title) => title.TitleId);
    const first = await ask({ limit: 3210 });
    expect(idsOf(first)).toEqual(paged.slice(0, 3210));
    expect(first.total).toBe((await ask({ limit: 1 })).total);
    const rest = await ask({ limit: 10_000, cursor: first.next ?? '' });
    expect(idsOf(rest)).toEqual(paged.slice(3210));
    expect(rest.next).toBeUndefined();
  });

  test('is sent while it is still being read', async () => {
    const url = await shop.app.listen({ port: 0, host: '127.0.0.1' });
    const response = await fetch(`${url}/api/titles?shelfid=${store}&limit=5000`);
    const sizes: number[] = [];
    for await (const part of response.body ?? []) sizes.push(part.byteLength);
    expect(sizes.length).toBeGreaterThan(20);
    expect(response.headers.get('content-length')).toBeNull();
  });

  test('is at most ten thousand long', async () => {
    const refused = await shop.ask('titles', '/titles', {
      query: { shelfid: store, limit: 10_001 },
    });
    expect(refused.status).toBe(400);
  });
});
