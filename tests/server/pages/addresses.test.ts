import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '../../../machines/paths/walk.ts';
import { addresses, nowhere } from '../../../tools/shop/addresses.ts';
import { routeAt } from '../../../machines/path-models/route-at.ts';
import { openPages } from '../support/pages.ts';
import { storeOf } from '../support/stores.ts';

const HOST = 'books.example';

let pages: Awaited<ReturnType<typeof openPages>>;
const statusOf = async (path: string): Promise<number> => (await pages.head(HOST, path)).status;

beforeAll(async () => {
  pages = await openPages();
  const own = storeOf('x');
  const store = await pages.shop.store({
    host: HOST,
    categories: [
      ...(own.categories ?? []),
      { id: 'summer', name: 'Summer', kind: 'titleset' },
      { id: 'printed', name: 'Printed', kind: 'catalog' },
    ],
  });
  await pages.shop.db
    .insertInto('campaigns')
    .values({ store_id: store, id: 'spring', name: 'Spring', starts_at: null, ends_at: null })
    .execute();
});
afterAll(() => pages.close());

test.each(addresses)('the server sends $path with the status that the shop’s table says', async ({ path, status = 200 }) =>
  expect(await statusOf(path)).toBe(status),
);

test.each(nowhere)('%s is unknown to the server and to the shop', async (path) => {
  expect(await statusOf(path)).toBe(404);
});

test('the shop knows every page that the server finds: five hundred random addresses', async () => {
  const chance = seeded(411);
  const pick = (from: readonly string[]): string => from[Math.floor(chance() * from.length)] ?? '';
  const pieces = [...new Set(addresses.flatMap(({ path }) => (path.split('?')[0] ?? '').split('/')))].filter(Boolean);
  for (let count = 0; count < 500; count += 1) {
    const path = `/${Array.from({ length: 1 + Math.floor(chance() * 4) }, () => pick(pieces)).join('/')}`;
    // The template’s page of a broken server is one that the shop has only words for.
    if ((await statusOf(path)) === 200 && path !== '/500') expect(routeAt(path).flow, path).not.toBe('notFound');
  }
});
