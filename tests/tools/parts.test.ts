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

const allShards = Array.from({ length: SHARD_COUNT }, (_, index) => index + 1);
const itemNumbers = Array.from({ length: 100 }, (_, index) => index);

test('every test is in one shard, and the shards have similar sizes', () => {
  const itemsByShard = allShards.map((shard) => selectShard(itemNumbers, shard));
  expect(itemsByShard.flat().toSorted((a, b) => a - b)).toEqual(itemNumbers);
  const sizes = itemsByShard.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(3);
  expect(selectShard(itemNumbers, null)).toEqual(itemNumbers);
});

test('the stories in Firefox are in one shard', () => {
  expect(allShards.filter((shard) => hasFirefox(shard))).toHaveLength(1);
  expect(hasFirefox(null)).toBe(true);
});

test('consecutive commits run different shards, until every shard has run', async () => {
  const root = await plantTree({ 'a.txt': '' });
  const git = (...args: string[]) => run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });
  expect(await getShardToRun(root, [])).toBe(1);
  await git('init', '-q');
  const shards: unknown[] = [];
  for (let commit = 0; commit < SHARD_COUNT; commit += 1) {
    await git('commit', '-q', '--allow-empty', '-m', 'a commit');
    shards.push(await getShardToRun(root, []));
  }
  expect(new Set(shards)).toEqual(new Set(allShards));
  expect(await getShardToRun(root, [])).toBe(shards.at(-1));
});

test('all shards, or a single one, can be requested', async () => {
  expect(await getShardToRun(projectRoot, ['--all'])).toBeNull();
  expect(await getShardToRun(projectRoot, ['--part', '2'])).toBe(2);
  expect(describeShard(2)).toContain('--all');
  await expect(getShardToRun(projectRoot, ['--part', String(SHARD_COUNT + 1)])).rejects.toThrow(/not a whole number from 1 to/);
  await expect(getShardToRun(projectRoot, ['--most'])).rejects.toThrow(/most/);
});

test('each slow test file is excluded from all shards but one', async () => {
  const excludedFiles = await Promise.all(allShards.map((shard) => findExcludedSlowFiles(projectRoot, shard)));
  const counts = Map.groupBy(excludedFiles.flat(), (file) => file);
  expect(counts.size).toBeGreaterThan(10);
  for (const [file, times] of counts) expect(times, file).toHaveLength(SHARD_COUNT - 1);
  expect(await findExcludedSlowFiles(projectRoot, null)).toEqual([]);
});

test('half of the server’s test files run in a shard, each on one database; four shards run all of them on both', async () => {
  const listFiles = async (env: Record<string, string>): Promise<string[]> => {
    const args = ['list', '--project', 'server', '--project', 'server-postgres', '--filesOnly', '--json'];
    // The environment of this run may already select a shard.
    const { code, output } = await run(bin(projectRoot, 'vitest'), args, {
      cwd: projectRoot,
      env: { SERVER_TURN: undefined, ...env },
    });
    expect(code, output).toBe(0);
    const testFiles = JSON.parse(output.slice(output.indexOf('['))) as { file: string; projectName: string }[];
    return testFiles.map(({ file, projectName }) => `${file} on ${projectName}`);
  };
  const [allRuns = [], ...shards] = await Promise.all([null, 1, 2, 3, 4].map((shard) => listFiles(getServerShardEnv(shard))));
  const toFileNames = (runs: string[]) => new Set(runs.map((each) => each.split(' on ')[0]));
  for (const runs of shards) {
    expect(toFileNames(runs).size).toBe(runs.length);
    expect(Math.abs(runs.length - toFileNames(allRuns).size / 2)).toBeLessThanOrEqual(1);
  }
  const [first = [], second = []] = shards;
  expect(toFileNames([...first, ...second])).toEqual(toFileNames(allRuns));
  expect(new Set(shards.flat())).toEqual(new Set(allRuns));
});
