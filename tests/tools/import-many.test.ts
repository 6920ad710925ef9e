import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { createDelivery, createEpub, runStoreCommand } from '../server/support/deliveries.ts';

const TITLE_COUNT = 1000;

test('an import of a thousand books skips a broken one, which the next import adds', async () => {
  const data = await mkdtemp(join(tmpdir(), 'colophon-many-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const database = await openDatabase({ kind: 'folder', folder: data });
  await saveStore(database.db, { id: 'many', currency: 'EUR' });
  await database.close();
  const books = Array.from({ length: TITLE_COUNT }, (_, index): [string, Buffer] => [
    `${index % 10}/book-${index}.epub`,
    createEpub({
      title: `Number ${index}`,
      identifier: `urn:test:number-${index}`,
      metadata: `<dc:creator>Writer ${index % 50}</dc:creator>`,
    }),
  ]);
  const folder = await createDelivery(Object.fromEntries(books));
  const originalBook = await readFile(join(folder, '5/book-505.epub'));
  await writeFile(join(folder, '5/book-505.epub'), originalBook.subarray(0, originalBook.length / 2));
  const importFolder = () => runStoreCommand(['import', folder, '--price', '2EUR'], { DATA_DIR: data });

  const firstImport = await importFolder();
  expect(firstImport.code).toBe(1);
  expect(firstImport.err.split('\n').filter((line) => line.endsWith(' of 1000'))).toHaveLength(TITLE_COUNT / 50);
  expect(firstImport.err).toMatch(
    /5\/book-505\.epub: not a zip container: no end record in its last \d+ bytes\. Get another copy of it\.\n/,
  );
  expect(firstImport.err).toContain('Imported 999 titles: 999 new, 0 changed, 0 as before. 1 could not be imported.\n');

  await writeFile(join(folder, '5/book-505.epub'), originalBook);
  const secondImport = await importFolder();
  expect(secondImport).toMatchObject({ code: 0, out: '' });
  expect(secondImport.err).toContain('Imported 1000 titles: 1 new, 0 changed, 999 as before.\n');
  const listResult = await runStoreCommand(['titles', 'list', '--search', 'number 505'], { DATA_DIR: data });
  expect(listResult.out.split('\n')[1]).toMatch(/^t[0-9a-f]{20},Number 505,Writer 5,,epub,2EUR,yes,yes,$/);
}, 900_000);
