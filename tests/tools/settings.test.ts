import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { checkSettings } from '../../tools/check/settings.ts';
import { plant } from './support/tree.ts';

const readme = await readFile(resolve(import.meta.dirname, '../../README.md'), 'utf8');
const check = async (page: string) => checkSettings(await plant({ 'README.md': page }));

test('the README has the variables of the shop, of every payment provider and of the gateway', async () => {
  expect(await check(readme)).toMatchObject({ passed: 1, failed: 0 });
  for (const name of ['PORT', 'STRIPE_SECRET_KEY', 'RAZORPAY_KEY_ID', 'GATEWAY_FOLDER'])
    expect(await check(readme.replaceAll(`| \`${name}\` |`, '| |')), name).toMatchObject({ passed: 0, failed: 1 });
});

test('a default that differs from the schema’s is noticed, by its row', async () => {
  const { failed, says } = await check(readme.replace('`PAYMENT_TIMEOUT` | `5000`', '`PAYMENT_TIMEOUT` | `6000`'));
  expect([failed, says]).toEqual([1, expect.stringContaining('| `PAYMENT_TIMEOUT` | `5000` |')]);
});

test('a page without the marks of the tables is noticed', async () => {
  expect(await check(readme.replace('<!-- end: settings -->', ''))).toMatchObject({ passed: 0, failed: 1 });
  expect(await checkSettings(join(import.meta.dirname, 'nowhere'))).toMatchObject({ passed: 0, failed: 1 });
});
