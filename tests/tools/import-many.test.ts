import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../server/database/open.ts';
import { saveStore } from '../../server/setup/save-store.ts';
import { createDelivery, createEpub, runStoreCommand } from '../server/support/deliveries.ts';

const TITLE_COUNT = 1000;

test('a thousand books are imported, past a broken one, and again without a change', async () => {
  const data = await mkdtemp(join(tmpdir(), 'colophon-many-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const database = await openDatabase({ kind: 'folder', folder: data });
  await saveStore(database.db, { id: 'many', currency: 'EUR' });
  await database.close();
  const books = Array.from({ length: TITLE_COUNT }, (_, at): [string, Buffer] => [
    `${at % 10}/book-${at}.epub`,
    createEpub({
      title: `Number ${at}`,
      identifier: `urn:test:number-${at}`,
      metadata: `<dc:creator>Writer ${at % 50}</dc:creator>`,
    }),
  ]);
  const folder = await createDelivery(Object.fromEntries(books));
  const whole = await readFile(join(folder, '5/book-505.epub'));
  await writeFile(join(folder, '5/book-505.epub'), whole.subarray(0, whole.length / 2));
  const run = () => runStoreCommand(['import', folder, '--price', '2EUR'], { DATA_DIR: data });

  const first = await run();
  expect(first.code).toBe(1);
  expect(first.err.split('\n').filter((line) => line.endsWith(' of 1000'))).toHaveLength(TITLE_COUNT / 50);
  expect(first.err).toContain('5/book-505.epub: not a zip container. Get another copy of it.\n');
  expect(first.err).toContain('Imported 999 titles: 999 new, 0 changed, 0 as before. 1 could not be imported.\n');

  await writeFile(join(folder, '5/book-505.epub'), whole);
  const second = await run();
  expect(second).toMatchObject({ code: 0, out: '' });
  expect(second.err).toContain('Imported 1000 titles: 1 new, 0 changed, 999 as before.\n');
  const listed = await runStoreCommand(['titles', 'list', '--search', 'number 505'], { DATA_DIR: data });
  expect(listed.out.split('\n')[1]).toMatch(/^t[0-9a-f]{20},Number 505,Writer 5,,epub,2EUR,yes,yes,$/);
}, 900_000);
