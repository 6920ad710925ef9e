import { bin, run } from '../process/run.ts';
import { parseOptionValues, parseWholeNumber } from '../process/command-line.ts';

/** The number of shards of the slow tests; each run takes one. */
export const SHARD_COUNT = 20;

/** From 1 to `parts`; null means all. */
export type Shard = number | null;

/** Adjacent tests share a costly setup, such as an open page. */
const NEIGHBOURS_PER_SHARD = 3;

/** The tests of a part, spread over all files, so that all parts take about equally long. */
export const selectShard = <Item>(items: readonly Item[], part: Shard, neighbours = NEIGHBOURS_PER_SHARD): Item[] =>
  items.filter((_, at) => part === null || Math.floor(at / neighbours) % SHARD_COUNT === part - 1);

/** Whether a part includes the Firefox tests: one part has all of them. */
export const hasFirefox = (part: Shard): boolean => part === null || part === SHARD_COUNT;

/**
 * The part of the current commit: each commit runs the one after its parent's. Without git history
 * it is the first.
 */
async function getCommitCount(root: string): Promise<number> {
  const { code, output } = await run('git', ['rev-list', '--count', '--first-parent', 'HEAD'], { cwd: root });
  return code === 0 ? (Number(output.trim()) % SHARD_COUNT) + 1 : 1;
}

/**
 * The tests that `npm test` runs: `--all`, `--part 2`, or by default the current commit's part.
 * @throws UsageError for other arguments
 */
export async function getShardToRun(root: string, args: string[]): Promise<Shard> {
  const { all, part } = parseOptionValues(args, { all: { type: 'boolean' }, part: { type: 'string' } });
  if (all === true) return null;
  return part === undefined ? getCommitCount(root) : parseWholeNumber('part', part, 1, SHARD_COUNT);
}

/** Describes the tests that run, and how to run the others. */
export const describeShard = (part: Shard): string =>
  part === null
    ? 'every test'
    : `part ${part} of ${SHARD_COUNT} of the slow tests (each commit runs the next one); npm test -- --all runs every test`;

/** The patterns of Vitest's slow test files that this part does not run. */
export async function findExcludedSlowFiles(root: string, part: Shard): Promise<string[]> {
  if (part === null) return [];
  const { code, output } = await run(bin(root, 'vitest'), ['list', '--project', 'slow', '--filesOnly'], { cwd: root });
  // Sorted, since Vitest lists them in varying order.
  const files = [...output.matchAll(/tests\/\S+\.test\.tsx?/g)].map(([file]) => file).toSorted();
  if (code !== 0 || files.length === 0) throw new Error(`Vitest lists no slow tests\n${output}`);
  const own = new Set(selectShard(files, part, 1));
  return files.filter((file) => !own.has(file));
}

/**
 * The layout themes of the pages that `tests/ssr/hydration.test.tsx` renders. Any three
 * consecutive parts cover all of them, except across the last and the first.
 */
export const getThemeShard = (part: Shard): string => (part === null ? 'all' : String(part % 3));

/** Selects the half of the server's test files for `vitest.config.ts`, and the database of each. */
export const getServerShardEnv = (part: Shard): Record<string, string> =>
  part === null ? {} : { SERVER_TURN: String((part - 1) % 4) };
