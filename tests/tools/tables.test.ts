import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkTables } from '../../tools/check/tables.ts';
import { plantTree } from './support/tree.ts';

const root = resolve(import.meta.dirname, '../..');
const pageFiles = ['docs/configuration.md', 'docs/store-properties.md', 'docs/rate-limits.md'];
const pages = Object.fromEntries(
  await Promise.all(pageFiles.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
);

/** Checks the pages with one text of one page replaced. */
const checkChangedPage = async (name: string, text: string, replacement: string) => {
  const page = pages[name] ?? '';
  expect(page, text).toContain(text);
  return checkTables(await plantTree({ ...pages, [name]: page.replace(text, replacement) }));
};

test('the pages have the tables that the server generates', async () => {
  expect(await checkTables(root)).toMatchObject({ passed: 1, failed: 0 });
});

test.each([
  ['docs/configuration.md', '| `PORT` |'],
  ['docs/configuration.md', '| `STRIPE_SECRET_KEY` |'],
  ['docs/configuration.md', '| `RAZORPAY_KEY_ID` |'],
  ['docs/configuration.md', '| `GATEWAY_FOLDER` |'],
  ['docs/store-properties.md', '| ShelfName | words |'],
  ['docs/store-properties.md', '| boolean | true or false |'],
  ['docs/rate-limits.md', '| `sign-up` |'],
  ['docs/rate-limits.md', '| `addCard` |'],
])('%s without the row “%s” is reported', async (name, row) => {
  expect(await checkChangedPage(name, row, '|')).toMatchObject({ passed: 0, failed: 1 });
});

test('a default that differs from the server’s is reported, by its row', async () => {
  const { failed, summary } = await checkChangedPage(
    'docs/configuration.md',
    '`PAYMENT_TIMEOUT` | `5000`',
    '`PAYMENT_TIMEOUT` | `6000`',
  );
  expect([failed, summary]).toEqual([1, expect.stringContaining('| `PAYMENT_TIMEOUT` | `5000` |')]);
});

test('a page without its table markers, and a missing page, are reported', async () => {
  expect(await checkChangedPage('docs/configuration.md', '<!-- end: settings -->', '')).toMatchObject({ passed: 0, failed: 1 });
  expect(await checkTables(join(import.meta.dirname, 'nowhere'))).toMatchObject({ passed: 0, failed: 1 });
});
