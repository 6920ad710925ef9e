import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkTables } from '../../tools/check/tables.ts';
import { plant } from './support/tree.ts';

const root = resolve(import.meta.dirname, '../..');
const names = ['README.md', 'docs/store-properties.md', 'docs/rate-limits.md'];
const pages = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await readFile(join(root, name), 'utf8')] as const)),
);

/** Checks the pages with one text of one of them replaced. */
const checkWith = async (name: string, before: string, after: string) => {
  const page = pages[name] ?? '';
  expect(page, before).toContain(before);
  return checkTables(await plant({ ...pages, [name]: page.replace(before, after) }));
};

test('the pages have the tables that the server makes', async () => {
  expect(await checkTables(root)).toMatchObject({ passed: 1, failed: 0 });
});

test.each([
  ['README.md', '| `PORT` |'],
  ['README.md', '| `STRIPE_SECRET_KEY` |'],
  ['README.md', '| `RAZORPAY_KEY_ID` |'],
  ['README.md', '| `GATEWAY_FOLDER` |'],
  ['docs/store-properties.md', '| ShelfName | words |'],
  ['docs/store-properties.md', '| boolean | true or false |'],
  ['docs/rate-limits.md', '| `sign-up` |'],
  ['docs/rate-limits.md', '| `addCard` |'],
])('%s without the row “%s” is noticed', async (name, row) => {
  expect(await checkWith(name, row, '|')).toMatchObject({ passed: 0, failed: 1 });
});

test('a default that differs from the server’s is noticed, by its row', async () => {
  const { failed, says } = await checkWith('README.md', '`PAYMENT_TIMEOUT` | `5000`', '`PAYMENT_TIMEOUT` | `6000`');
  expect([failed, says]).toEqual([1, expect.stringContaining('| `PAYMENT_TIMEOUT` | `5000` |')]);
});

test('a page without the marks of its tables, and a missing page, are noticed', async () => {
  expect(await checkWith('README.md', '<!-- end: settings -->', '')).toMatchObject({ passed: 0, failed: 1 });
  expect(await checkTables(join(import.meta.dirname, 'nowhere'))).toMatchObject({ passed: 0, failed: 1 });
});
