import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { number, object, parse } from 'valibot';
import { fail, formatTestCounts, toSkippedCount, type Outcome } from '../check/step.ts';
import type { TestEvent } from '../check/test-log.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { runWatched, type IdleLimitsMs } from '../check/watched-run.ts';
import { bin, run } from '../process/run.ts';
import { buildIfStale } from '../start/build.mjs';
import { selectShard, type Shard } from './shards.ts';

const reportSchema = object({
  stats: object({ expected: number(), unexpected: number(), flaky: number(), skipped: number() }),
});

/** Sums the durations of the tests of each file: two workers share the files. */
function getFileTimes(events: readonly TestEvent[]): FileTime[] {
  const endEvents = events.filter(({ event }) => event === 'ended');
  return [...Map.groupBy(endEvents, ({ file }) => file)].map(([file, tests]) => ({
    file,
    seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0),
    tests: tests.length,
  }));
}

const defaultLimits: IdleLimitsMs = { beforeFirst: 180_000, betweenTests: 180_000 };

/** Files that every run includes: buying and reading a title, and failures of payments. */
const alwaysRunPattern = /\bstories\/buying\/(?:buy-and-read|paying)\.spec\.ts/;

/**
 * The tests of a shard as Playwright names them, one per line.
 * @throws Error if Playwright lists none
 */
async function createTestList(root: string, config: string, shard: Shard): Promise<string> {
  const listArgs = ['test', '-c', config, '--list', '--reporter=list'];
  const { code, output } = await run(bin(root, 'playwright'), listArgs, { cwd: root });
  const tests = output.split('\n').filter((line) => line.includes(' › '));
  if (code !== 0 || tests.length === 0)
    throw new Error(`Playwright ended with ${code} and lists ${tests.length} tests\n${output.trim()}`);
  const selectedTests = new Set(selectShard(tests, shard));
  return tests.filter((line) => selectedTests.has(line) || alwaysRunPattern.test(line)).join('\n');
}

type BrowserRun = {
  config?: string;
  shard?: Shard;
  /** Receives the duration of each file. */
  onFileTime?: ((time: FileTime) => void) | undefined;
  limits?: IdleLimitsMs;
};

/**
 * Runs Playwright's tests, or a shard of them, against the built pages. A run that fails outside a
 * test, finds no test, or has a test that never ends, counts as one failure.
 */
export async function runBrowserTests(
  root: string,
  { config = 'tests/e2e/playwright.config.ts', shard = null, onFileTime = () => {}, limits = defaultLimits }: BrowserRun = {},
): Promise<Outcome> {
  const tests = shard === null ? null : await createTestList(root, config, shard);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-browser-'));
  const file = join(folder, 'report.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NODE_NO_WARNINGS: '1' };
  const reporters = ['dot', 'json', join(import.meta.dirname, 'playwright-reporter.ts')];
  const testListFile = join(folder, 'tests.txt');
  if (tests !== null) await writeFile(testListFile, tests);
  const args = [
    'test',
    '-c',
    config,
    ...(tests === null ? [] : ['--test-list', testListFile]),
    `--reporter=${reporters.join(',')}`,
  ];
  const watchOptions = { cwd: root, env, log: join(folder, 'tests.log'), limits };
  const { code, output, events, abortReason } = await runWatched(bin(root, 'playwright'), args, watchOptions);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  for (const time of getFileTimes(events)) onFileTime(time);
  if (abortReason !== null) return fail(`${output.trim()}\n${abortReason}`);
  if (text === null) return fail(`Playwright wrote no report\n${output.trim()}`);
  const { expected, unexpected, flaky, skipped } = parse(reportSchema, JSON.parse(text)).stats;
  const failed = unexpected + flaky;
  const summary = formatTestCounts(expected, expected + failed + skipped, output);
  // A flaky test, which passed only on its second try, counts as a failure; Playwright's report
  // names it.
  const counts = { passed: expected, ...toSkippedCount(skipped) };
  if (code === 0 && failed === 0) return { ...counts, failed, summary };
  return { ...counts, failed: Math.max(failed, 1), summary: `${output.trim()}\n${summary}` };
}

export async function checkBrowser(root: string, shard: Shard, onFileTime: (time: FileTime) => void): Promise<Outcome> {
  await buildIfStale();
  return runBrowserTests(root, { shard, onFileTime });
}

/** Runs the browser tests in the system's Firefox; skipped if it is not installed. */
export async function checkFirefox(root: string, onFileTime?: (time: FileTime) => void): Promise<Outcome> {
  await buildIfStale();
  return runVitest(root, ['firefox'], { onFileTime });
}
