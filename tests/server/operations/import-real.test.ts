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
  const [firstFile] = listRealFiles(kind);
  const result = await shop.run('import', dirname(firstFile?.file ?? ''), '--store', store, '--json');
  return { result, rows: parseRows(result), store };
};

test.runIf(hasRealFiles).each(['epub', 'pdf'] as const)('all real titles of the kind %s are imported', async (kind) => {
  const { rows, store } = await importKind(kind);
  expect(rows.map(({ outcome }) => outcome)).toEqual(listRealFiles(kind).map(() => 'new'));
  const titles = await shop.db
    .selectFrom('titles')
    .select(['name', 'cover', 'page_count'])
    .where('store_id', '=', store)
    .execute();
  expect(titles.every(({ name }) => /\S/.test(name))).toBe(true);
  expect(titles.filter(({ cover }) => cover !== null).length).toBeGreaterThan(kind === 'pdf' ? 2 : 8);
  if (kind === 'pdf') expect(new Set(titles.map((row) => row.page_count))).toEqual(new Set([14, 3, 352]));
});

test.runIf(hasRealFiles)('files that refer outside themselves or unpack to excessive sizes are not imported', async () => {
  const { rows } = await importKind('hostile');
  const importedFiles = rows.filter(({ outcome }) => outcome === 'new').map(({ file }) => file);
  // The chapters of this book contain scripts, which the reader never runs.
  expect(importedFiles).toEqual(['evil.epub']);
});
