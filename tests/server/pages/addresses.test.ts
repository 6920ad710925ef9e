import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../machines/paths/walk.ts';
import { addresses, unknownPaths } from '../../../tools/shop/addresses.ts';
import { parsePath } from '../../../machines/path-models/route-at.ts';
import { openPages } from '../support/pages.ts';
import { makeStore } from '../support/stores.ts';

const HOST = 'books.example';

let pages: Awaited<ReturnType<typeof openPages>>;
const readStatus = async (path: string): Promise<number> => (await pages.fetchHead(HOST, path)).status;

beforeAll(async () => {
  pages = await openPages();
  const defaultStore = makeStore('x');
  const store = await pages.shop.store({
    host: HOST,
    categories: [
      ...(defaultStore.categories ?? []),
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

test.each(addresses)('the server answers $path with the status in the table of addresses', async ({ path, status = 200 }) =>
  expect(await readStatus(path)).toBe(status),
);

test.each(unknownPaths)('the path %s is unknown to the server', async (path) => {
  expect(await readStatus(path)).toBe(404);
});

test('the app has every page that the server finds among 500 random paths', async () => {
  const random = seededRandom(411);
  const pick = (values: readonly string[]): string => values[Math.floor(random() * values.length)] ?? '';
  const segments = [...new Set(addresses.flatMap(({ path }) => (path.split('?')[0] ?? '').split('/')))].filter(Boolean);
  for (let count = 0; count < 500; count += 1) {
    const path = `/${Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(segments)).join('/')}`;
    // `/500` is a page of the template for server errors: the app has only its texts.
    if ((await readStatus(path)) === 200 && path !== '/500') expect(parsePath(path).flow, path).not.toBe('notFound');
  }
});
