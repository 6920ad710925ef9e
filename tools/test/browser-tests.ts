import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { number, object, parse } from 'valibot';
import { broken, saysOfTests, skippedCount, type Outcome } from '../check/step.ts';
import type { TestEvent } from '../check/test-log.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { runWatched, type IdleLimits } from '../check/watched-run.ts';
import { bin, run } from '../process/run.ts';
import { buildWhatIsStale } from '../start/build.mjs';
import { ofPart, type Part } from './parts.ts';

const reportSchema = object({
  stats: object({ expected: number(), unexpected: number(), flaky: number(), skipped: number() }),
});

/** Two workers share the files: the seconds of a file are those of its tests, not of the clock. */
function timesIn(events: readonly TestEvent[]): FileTime[] {
  const ended = events.filter(({ event }) => event === 'ended');
  return [...Map.groupBy(ended, ({ file }) => file)].map(([file, tests]) => ({
    file,
    seconds: tests.reduce((sum, { seconds }) => sum + seconds, 0),
    tests: tests.length,
  }));
}

const usual: IdleLimits = { atFirst: 180_000, afterwards: 180_000 };

/** Files that every run runs: somebody buys a title and reads it, and what may go wrong when money is paid. */
const always = /\bstories\/buying\/(?:buy-and-read|paying)\.spec\.ts/;

/** The tests of a part as Playwright names them, a line each. @throws Error when it can list none */
async function listOf(root: string, config: string, part: Part): Promise<string> {
  const listing = ['test', '-c', config, '--list', '--reporter=list'];
  const { code, output } = await run(bin(root, 'playwright'), listing, { cwd: root });
  const tests = output.split('\n').filter((line) => line.includes(' › '));
  if (code !== 0 || tests.length === 0) throw new Error(`Playwright lists no tests\n${output.trim()}`);
  const own = new Set(ofPart(tests, part));
  return tests.filter((line) => own.has(line) || always.test(line)).join('\n');
}

type BrowserRun = {
  config?: string;
  part?: Part;
  /** Is told of each file. */
  note?: ((time: FileTime) => void) | undefined;
  limits?: IdleLimits;
};

/**
 * Runs Playwright's tests, or a part of them, against the built pages. A run that breaks outside a test, finds none, or has
 * one that never ends, is one failure.
 */
export async function runBrowserTests(
  root: string,
  { config = 'tests/e2e/playwright.config.ts', part = null, note = () => {}, limits = usual }: BrowserRun = {},
): Promise<Outcome> {
  const tests = part === null ? null : await listOf(root, config, part);
  const folder = await mkdtemp(join(tmpdir(), 'colophon-browser-'));
  const file = join(folder, 'report.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: file, NODE_NO_WARNINGS: '1' };
  const reporters = ['dot', 'json', join(import.meta.dirname, 'playwright-reporter.ts')];
  const chosen = join(folder, 'tests.txt');
  if (tests !== null) await writeFile(chosen, tests);
  const args = ['test', '-c', config, ...(tests === null ? [] : ['--test-list', chosen]), `--reporter=${reporters.join(',')}`];
  const watched = { cwd: root, env, log: join(folder, 'tests.log'), limits };
  const { code, output, events, stuck } = await runWatched(bin(root, 'playwright'), args, watched);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  for (const time of timesIn(events)) note(time);
  if (stuck !== null) return broken(`${output.trim()}\n${stuck}`);
  if (text === null) return broken(`Playwright gave no report\n${output.trim()}`);
  const { expected, unexpected, flaky, skipped } = parse(reportSchema, JSON.parse(text)).stats;
  const failed = unexpected + flaky;
  const says = saysOfTests(expected, expected + failed + skipped, output);
  // A test that passed only on its second try is a failure, too; Playwright's report names it.
  const counts = { passed: expected, ...skippedCount(skipped) };
  if (code === 0 && failed === 0) return { ...counts, failed, says };
  return { ...counts, failed: Math.max(failed, 1), says: `${output.trim()}\n${says}` };
}

export async function checkBrowser(root: string, part: Part, note: (time: FileTime) => void): Promise<Outcome> {
  await buildWhatIsStale();
  return runBrowserTests(root, { part, note });
}

/** Runs the stories in the machine's Firefox; without one they are skipped. */
export async function checkFirefox(root: string, note?: (time: FileTime) => void): Promise<Outcome> {
  await buildWhatIsStale();
  return runVitest(root, ['firefox'], { note });
}
