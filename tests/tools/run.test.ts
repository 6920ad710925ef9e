import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { run } from '../../tools/process/run.ts';
import { plantTree, projectRoot } from './support/tree.ts';

const pollOptions = { timeout: 20_000, interval: 50 };

/**
 * A program that starts another one in a process group of its own. Both write their process ids and
 * never end.
 */
const familyProgram = `
import { spawn } from 'node:child_process'
import { appendFileSync } from 'node:fs'
appendFileSync('family', process.pid + ' ')
if (process.argv[2] === undefined) spawn(process.execPath, ['family.mjs', 'child'], { detached: true, stdio: 'ignore' })
setInterval(() => {}, 1000)
`;
const parentProgram = `
import { run } from ${JSON.stringify(join(projectRoot, 'tools/process/run.ts'))}
await run(process.execPath, ['family.mjs'], { cwd: process.cwd() })
`;

const plantFamily = (): Promise<string> => plantTree({ 'family.mjs': familyProgram, 'parent.mjs': parentProgram });

async function readFamilyPids(root: string): Promise<number[]> {
  const text = await readFile(join(root, 'family'), 'utf8');
  const pids = text.split(' ').slice(0, -1).map(Number);
  if (pids.length < 2) throw new Error(`Expected two process ids, found ${pids.length}`);
  return pids;
}

/** Whether a process runs. A zombie, which has ended but is still listed, does not. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !stat.includes(') Z ');
}

async function expectAllEnded(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await expect.poll(() => isAlive(pid), pollOptions).toBe(false);
}

test('a program that is stopped ends with all its child processes', async () => {
  const root = await plantFamily();
  const abortController = new AbortController();
  const resultPromise = run(process.execPath, ['family.mjs'], { cwd: root, signal: abortController.signal });
  const pids = await vi.waitFor(() => readFamilyPids(root), pollOptions);
  abortController.abort();
  expect(await resultPromise).toEqual({ code: 1, output: '' });
  await expectAllEnded(pids);
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s to the parent ends its children', async (signal) => {
  const root = await plantFamily();
  const child = spawn(process.execPath, ['parent.mjs'], { cwd: root, stdio: 'ignore' });
  const exitSignal = new Promise((resolve) => child.on('exit', (_, receivedSignal) => resolve(receivedSignal)));
  const pids = await vi.waitFor(() => readFamilyPids(root), pollOptions);
  child.kill(signal);
  expect(await exitSignal).toBe(signal);
  await expectAllEnded(pids);
});
