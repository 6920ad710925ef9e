import { expect, test } from 'vitest';
import { bin, run } from '../../tools/process/run.ts';
import {
  hasFirefox,
  selectShard,
  SHARD_COUNT,
  describeShard,
  getShardToRun,
  getServerShardEnv,
  findExcludedSlowFiles,
} from '../../tools/test/shards.ts';
import { plantTree, projectRoot } from './support/tree.ts';

const allParts = Array.from({ length: SHARD_COUNT }, (_, at) => at + 1);
const itemNumbers = Array.from({ length: 100 }, (_, at) => at);

test('every test is in one part, and the parts have similar sizes', () => {
  const shared = allParts.map((part) => selectShard(itemNumbers, part));
  expect(shared.flat().toSorted((a, b) => a - b)).toEqual(itemNumbers);
  const sizes = shared.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(3);
  expect(selectShard(itemNumbers, null)).toEqual(itemNumbers);
});

test('the stories in Firefox are in one part', () => {
  expect(allParts.filter((part) => hasFirefox(part))).toHaveLength(1);
  expect(hasFirefox(null)).toBe(true);
});

test('each commit runs the part after its parent’s', async () => {
  const root = await plantTree({ 'a.txt': '' });
  const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  expect(await getShardToRun(root, [])).toBe(1);
  await git('init', '-q');
  const turns: unknown[] = [];
  for (let commit = 0; commit < SHARD_COUNT; commit += 1) {
    await git('commit', '-q', '--allow-empty', '-m', 'a commit');
    turns.push(await getShardToRun(root, []));
  }
  expect(new Set(turns)).toEqual(new Set(allParts));
  expect(await getShardToRun(root, [])).toBe(turns.at(-1));
});

test('all parts, or a single one, can be requested', async () => {
  expect(await getShardToRun(projectRoot, ['--all'])).toBeNull();
  expect(await getShardToRun(projectRoot, ['--part', '2'])).toBe(2);
  expect(describeShard(2)).toContain('--all');
  await expect(getShardToRun(projectRoot, ['--part', String(SHARD_COUNT + 1)])).rejects.toThrow(/not a whole number from 1 to/);
  await expect(getShardToRun(projectRoot, ['--most'])).rejects.toThrow(/most/);
});

test('each slow test file is left out by all parts but one', async () => {
  const left = await Promise.all(allParts.map((part) => findExcludedSlowFiles(projectRoot, part)));
  const counts = Map.groupBy(left.flat(), (file) => file);
  expect(counts.size).toBeGreaterThan(10);
  for (const [file, times] of counts) expect(times, file).toHaveLength(SHARD_COUNT - 1);
  expect(await findExcludedSlowFiles(projectRoot, null)).toEqual([]);
});

test('half of the server’s test files run in a part, each on one database; four parts run all of them on both', async () => {
  const filesIn = async (env: Record<string, string>): Promise<string[]> => {
    const args = ['list', '--project', 'server', '--project', 'server-postgres', '--filesOnly', '--json'];
    // The environment of this run may already select a turn.
    const { code, output } = await run(bin(projectRoot, 'vitest'), args, {
      cwd: projectRoot,
      env: { SERVER_TURN: undefined, ...env },
    });
    expect(code, output).toBe(0);
    const listed = JSON.parse(output.slice(output.indexOf('['))) as { file: string; projectName: string }[];
    return listed.map(({ file, projectName }) => `${file} on ${projectName}`);
  };
  const [all = [], ...turns] = await Promise.all([null, 1, 2, 3, 4].map((part) => filesIn(getServerShardEnv(part))));
  const names = (runs: string[]) => new Set(runs.map((each) => each.split(' on ')[0]));
  for (const runs of turns) {
    expect(names(runs).size).toBe(runs.length);
    expect(Math.abs(runs.length - names(all).size / 2)).toBeLessThanOrEqual(1);
  }
  const [first = [], second = []] = turns;
  expect(names([...first, ...second])).toEqual(names(all));
  expect(new Set(turns.flat())).toEqual(new Set(all));
});
