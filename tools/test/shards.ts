import { bin, run } from '../process/run.ts';
import { parseOptionValues, parseWholeNumber } from '../process/command-line.ts';

/** The number of shards of the slow tests; each run executes one shard. */
export const SHARD_COUNT = 20;

/** The number of a shard, from 1 to `SHARD_COUNT`; null selects all tests. */
export type Shard = number | null;

/** Adjacent tests share a costly setup, such as an open page. */
const NEIGHBOURS_PER_SHARD = 3;

/** The tests of a shard, spread over all files, so that all shards take about equally long. */
export const selectShard = <Item>(items: readonly Item[], shard: Shard, neighbours = NEIGHBOURS_PER_SHARD): Item[] =>
  items.filter((_, index) => shard === null || Math.floor(index / neighbours) % SHARD_COUNT === shard - 1);

/** Whether a shard includes the Firefox tests: one shard has all of them. */
export const hasFirefox = (shard: Shard): boolean => shard === null || shard === SHARD_COUNT;

/**
 * The shard of the current commit: each commit runs the shard after its parent's. Without git
 * history it is the first shard.
 */
async function getShardOfCommit(root: string): Promise<number> {
  const { code, output } = await run('git', ['rev-list', '--count', '--first-parent', 'HEAD'], { cwd: root });
  return code === 0 ? (Number(output.trim()) % SHARD_COUNT) + 1 : 1;
}

/**
 * The shard that `npm test` runs: all with `--all`, shard 2 with `--part 2`, by default that of the
 * current commit.
 * @throws UsageError for other arguments
 */
export async function getShardToRun(root: string, args: string[]): Promise<Shard> {
  const { all, part } = parseOptionValues(args, { all: { type: 'boolean' }, part: { type: 'string' } });
  if (all === true) return null;
  return part === undefined ? getShardOfCommit(root) : parseWholeNumber('part', part, 1, SHARD_COUNT);
}

/** Describes the tests that run, and how to run the others. */
export const describeShard = (shard: Shard): string =>
  shard === null
    ? 'every test'
    : `part ${shard} of ${SHARD_COUNT} of the slow tests (each commit runs the next one); npm test -- --all runs every test`;

/** The paths of Vitest's slow test files that this shard does not run. */
export async function findExcludedSlowFiles(root: string, shard: Shard): Promise<string[]> {
  if (shard === null) return [];
  const { code, output } = await run(bin(root, 'vitest'), ['list', '--project', 'slow', '--filesOnly'], { cwd: root });
  // Sorted, since Vitest lists them in varying order.
  const files = [...output.matchAll(/tests\/\S+\.test\.tsx?/g)].map(([file]) => file).toSorted();
  if (code !== 0 || files.length === 0)
    throw new Error(`Vitest ended with ${code} and lists ${files.length} slow tests\n${output}`);
  const selectedFiles = new Set(selectShard(files, shard, 1));
  return files.filter((file) => !selectedFiles.has(file));
}

/**
 * The third of the backgrounds and window widths that `tests/ssr/hydration.test.tsx` renders in a
 * shard, `0` to `2`; `all` without shards. Three consecutive shards cover all of them, unless the
 * first shard follows the last one.
 */
export const getThemeShard = (shard: Shard): string => (shard === null ? 'all' : String(shard % 3));

/** Selects the half of the server's test files for `vitest.config.ts`, and the database of each. */
export const getServerShardEnv = (shard: Shard): Record<string, string> =>
  shard === null ? {} : { SERVER_TURN: String((shard - 1) % 4) };
