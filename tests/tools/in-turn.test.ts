import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTurn, lockOf } from '../../tools/start/in-turn.mjs';
import { run } from '../../tools/process/run.ts';
import { plant, project } from './support/tree.ts';

test('what changes one folder is done one after the other, whatever becomes of it', async () => {
  const folder = await plant({});
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = inTurn(folder, async () => {
    order.push('first begins');
    await first.promise;
    order.push('first ends');
    throw new Error('It went wrong.');
  });
  await expect.poll(() => order).toEqual(['first begins']);
  const second = inTurn(folder, async () => order.push('second'));
  const elsewhere = await plant({});
  await inTurn(elsewhere, async () => order.push('elsewhere'));
  first.resolve();
  await expect(failing).rejects.toThrow('It went wrong.');
  await second;
  expect(order).toEqual(['first begins', 'elsewhere', 'first ends', 'second']);
  expect(existsSync(lockOf(folder))).toBe(false);
});

test('whoever died in their turn holds nobody up', async () => {
  const folder = await plant({});
  const { output } = await run(process.execPath, ['-e', 'console.log(process.pid)'], { cwd: project });
  await mkdir(lockOf(folder));
  await writeFile(join(lockOf(folder), 'pid'), output.trim());
  expect(await inTurn(folder, async () => 'done')).toBe('done');
  await mkdir(lockOf(folder));
  await utimes(lockOf(folder), new Date(0), new Date(0));
  expect(await inTurn(folder, async () => 'done again')).toBe('done again');
});
