import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../tools/check/lint.ts';
import { bin, run, type Finished } from '../../tools/process/run.ts';
import { closeSales, replayThere, shopElsewhere, tracesIn } from './support/shop-elsewhere.ts';

const tested = (root: string): Promise<Finished> =>
  run(bin(root, 'vitest'), ['run', '--root', root, 'tests/traces'], { cwd: root });

const jsonIn = async (root: string, path: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as unknown;

test('a record becomes a test that holds until a machine behaves otherwise', async () => {
  const root = await shopElsewhere();
  const made = await replayThere(root, '--to-test', 'a-purchase');
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Written: tests\/traces\/a-purchase\.json, .*\.test\.ts$/m),
  });
  expect(await tracesIn(root)).toEqual(['a-purchase.json', 'a-purchase.test.ts']);
  expect(await format(root, ['tests/traces'])).toMatchObject({ failed: 0 });
  expect(await jsonIn(root, 'tests/traces/a-purchase.json')).toEqual(await jsonIn(root, 'visit.json'));
  expect(await tested(root)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
  await closeSales(root);
  expect(await tested(root)).toMatchObject({ code: 1, output: expect.stringContaining('"notForSale"') });
});

test('a test that is there is not replaced unasked', async () => {
  const root = await shopElsewhere();
  expect(await replayThere(root, '--to-test', 'a-purchase')).toMatchObject({ code: 0 });
  const again = await replayThere(root, '--to-test', 'a-purchase');
  expect(again).toMatchObject({ code: 2, output: expect.stringContaining('tests/traces/a-purchase.json is there already.') });
  expect(await replayThere(root, '--to-test', 'a-purchase', '--force')).toMatchObject({ code: 0 });
});
