import { afterAll, beforeAll, expect, test } from 'vitest';
import { dirname } from 'node:path';
import type { AddressInfo } from 'node:net';
import { operatorRuns, rowsIn } from './support/deliveries.ts';
import { hasRealFiles, realFiles } from './publication/support/real-books.ts';
import { openShop, type Shop } from './support/shop.ts';

const ADMIN_TOKEN = 'a token of the tests, long enough';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop({ config: { adminToken: ADMIN_TOKEN } });
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => shop.close());

const importOf = async (kind: 'epub' | 'hostile' | 'pdf') => {
  const store = await shop.store({ titles: [], categories: [] });
  const [first] = realFiles(kind);
  const address = `http://127.0.0.1:${(shop.app.server.address() as AddressInfo).port}`;
  const ending = await operatorRuns(['import', dirname(first?.file ?? ''), '--store', store, '--shop', address, '--json'], {
    ADMIN_TOKEN,
  });
  return { ending, rows: rowsIn(ending), store };
};

test.runIf(hasRealFiles).each(['epub', 'pdf'] as const)('all real titles of the kind %s come in', async (kind) => {
  const { rows, store } = await importOf(kind);
  expect(rows.map(({ outcome }) => outcome)).toEqual(realFiles(kind).map(() => 'new'));
  const kept = await shop.db.selectFrom('titles').select(['name', 'cover', 'page_count']).where('store_id', '=', store).execute();
  expect(kept.every(({ name }) => /\S/.test(name))).toBe(true);
  expect(kept.filter(({ cover }) => cover !== null).length).toBeGreaterThan(kind === 'pdf' ? 2 : 8);
  if (kind === 'pdf') expect(new Set(kept.map((row) => row.page_count))).toEqual(new Set([14, 3, 352]));
});

test.runIf(hasRealFiles)('of hostile ones none comes in that reaches out of itself or unpacks to absurdly much', async () => {
  const { rows } = await importOf('hostile');
  const taken = rows.filter(({ outcome }) => outcome === 'new').map(({ file }) => file);
  // Its chapters hold scripts, which readers never run.
  expect(taken).toEqual(['evil.epub']);
});
