import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import { addresses, unknownPaths } from '../../../tools/shop/addresses.ts';
import { parsePath } from '../../../machines/path-models/route-at.ts';
import { openPages } from '../support/pages.ts';
import { makeStore } from '../support/stores.ts';

const HOST = 'books.example';

let pages: Awaited<ReturnType<typeof openPages>>;
const readStatus = async (path: string): Promise<number> => (await pages.head(HOST, path)).status;

beforeAll(async () => {
  pages = await openPages();
  const own = makeStore('x');
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

test.each(addresses)('the server sends $path with the status in the shop’s table', async ({ path, status = 200 }) =>
  expect(await readStatus(path)).toBe(status),
);

test.each(unknownPaths)('%s is unknown to the server and to the shop', async (path) => {
  expect(await readStatus(path)).toBe(404);
});

test('the shop has every page that the server finds, among five hundred random addresses', async () => {
  const chance = seededRandom(411);
  const pick = (from: readonly string[]): string => from[Math.floor(chance() * from.length)] ?? '';
  const pieces = [...new Set(addresses.flatMap(({ path }) => (path.split('?')[0] ?? '').split('/')))].filter(Boolean);
  for (let count = 0; count < 500; count += 1) {
    const path = `/${Array.from({ length: 1 + Math.floor(chance() * 4) }, () => pick(pieces)).join('/')}`;
    // The template's page for a broken server has only texts in the shop.
    if ((await readStatus(path)) === 200 && path !== '/500') expect(parsePath(path).flow, path).not.toBe('notFound');
  }
});
