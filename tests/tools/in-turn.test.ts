import { existsSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withFolderLock, getLockPath } from '../../tools/start/folder-lock.mjs';
import { run } from '../../tools/process/run.ts';
import { plantTree, projectRoot } from './support/tree.ts';

test('jobs that change one folder run one by one, also after a failure', async () => {
  const folder = await plantTree({});
  const events: string[] = [];
  const firstJobGate = Promise.withResolvers<void>();
  const firstJob = withFolderLock(folder, async () => {
    events.push('first begins');
    await firstJobGate.promise;
    events.push('first ends');
    throw new Error('The first job failed.');
  });
  await expect.poll(() => events).toEqual(['first begins']);
  const secondJob = withFolderLock(folder, async () => events.push('second'));
  const otherFolder = await plantTree({});
  await withFolderLock(otherFolder, async () => events.push('elsewhere'));
  firstJobGate.resolve();
  await expect(firstJob).rejects.toThrow('The first job failed.');
  await secondJob;
  expect(events).toEqual(['first begins', 'elsewhere', 'first ends', 'second']);
  expect(existsSync(getLockPath(folder))).toBe(false);
});

test('a process that died with the lock blocks no other', async () => {
  const folder = await plantTree({});
  const { output } = await run(process.execPath, ['-e', 'console.log(process.pid)'], { cwd: projectRoot });
  await mkdir(getLockPath(folder));
  await writeFile(join(getLockPath(folder), 'pid'), output.trim());
  expect(await withFolderLock(folder, async () => 'done')).toBe('done');
  await mkdir(getLockPath(folder));
  await utimes(getLockPath(folder), new Date(0), new Date(0));
  expect(await withFolderLock(folder, async () => 'done again')).toBe('done again');
});
