import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from '../../tools/check/lint.ts';
import { bin, run, type ProcessResult } from '../../tools/process/run.ts';
import { breakSales, replayInCopy, copyShop, listTraces } from './support/shop-copy.ts';

const runTraceTests = (root: string): Promise<ProcessResult> =>
  run(bin(root, 'vitest'), ['run', '--root', root, 'tests/traces'], { cwd: root });

const readJson = async (root: string, path: string): Promise<unknown> =>
  JSON.parse(await readFile(join(root, path), 'utf8')) as unknown;

test('a record becomes a test that passes until a machine behaves differently', async () => {
  const root = await copyShop();
  const firstReplay = await replayInCopy(root, '--to-test', 'a-purchase');
  expect(firstReplay).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Written: tests\/traces\/a-purchase\.json, .*\.test\.ts$/m),
  });
  expect(await listTraces(root)).toEqual(['a-purchase.json', 'a-purchase.test.ts']);
  expect(await format(root, ['tests/traces'])).toMatchObject({ failed: 0 });
  expect(await readJson(root, 'tests/traces/a-purchase.json')).toEqual(await readJson(root, 'visit.json'));
  expect(await runTraceTests(root)).toMatchObject({ code: 0, output: expect.stringContaining('1 passed') });
  await breakSales(root);
  expect(await runTraceTests(root)).toMatchObject({ code: 1, output: expect.stringContaining('"notForSale"') });
});

test('an existing test is not overwritten without the option', async () => {
  const root = await copyShop();
  expect(await replayInCopy(root, '--to-test', 'a-purchase')).toMatchObject({ code: 0 });
  const secondReplay = await replayInCopy(root, '--to-test', 'a-purchase');
  expect(secondReplay).toMatchObject({
    code: 2,
    output: expect.stringContaining('tests/traces/a-purchase.json already exists.'),
  });
  expect(await replayInCopy(root, '--to-test', 'a-purchase', '--force')).toMatchObject({ code: 0 });
});
