import { afterAll, beforeAll, expect, test } from 'vitest';
import { dirname } from 'node:path';
import { parseRows } from '../support/deliveries.ts';
import { hasRealFiles, listRealFiles } from '../publication/support/real-books.ts';
import { openOperatorShop, type OperatorShop } from '../support/operator-shop.ts';

let shop: OperatorShop;
beforeAll(async () => {
  shop = await openOperatorShop();
});
afterAll(() => shop.close());

const importKind = async (kind: 'epub' | 'hostile' | 'pdf') => {
  const store = await shop.store({ titles: [], categories: [] });
  const [first] = listRealFiles(kind);
  const ending = await shop.run('import', dirname(first?.file ?? ''), '--store', store, '--json');
  return { ending, rows: parseRows(ending), store };
};

test.runIf(hasRealFiles).each(['epub', 'pdf'] as const)('all real titles of the kind %s are imported', async (kind) => {
  const { rows, store } = await importKind(kind);
  expect(rows.map(({ outcome }) => outcome)).toEqual(listRealFiles(kind).map(() => 'new'));
  const kept = await shop.db.selectFrom('titles').select(['name', 'cover', 'page_count']).where('store_id', '=', store).execute();
  expect(kept.every(({ name }) => /\S/.test(name))).toBe(true);
  expect(kept.filter(({ cover }) => cover !== null).length).toBeGreaterThan(kind === 'pdf' ? 2 : 8);
  if (kind === 'pdf') expect(new Set(kept.map((row) => row.page_count))).toEqual(new Set([14, 3, 352]));
});

test.runIf(hasRealFiles)('files that reach outside themselves or unpack to excessive sizes are not imported', async () => {
  const { rows } = await importKind('hostile');
  const taken = rows.filter(({ outcome }) => outcome === 'new').map(({ file }) => file);
  // Its chapters contain scripts, which readers never run.
  expect(taken).toEqual(['evil.epub']);
});
