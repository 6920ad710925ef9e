import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { array, boolean, nullish, number, object, parse, string, type InferOutput } from 'valibot';
import { bin, run } from '../process/run.ts';
import type { ChangedFiles } from './changed-files.ts';
import { fail, pass, formatTestCounts, toSkippedCount, type Outcome } from './step.ts';
import { runWatched, type IdleLimitsMs } from './watched-run.ts';

const reportSchema = object({
  testResults: array(
    object({
      name: string(),
      startTime: number(),
      endTime: number(),
      message: string(),
      assertionResults: array(
        object({ fullName: string(), status: string(), failureMessages: nullish(array(nullish(string(), '')), []) }),
      ),
    }),
  ),
  numPassedTests: number(),
  numFailedTests: number(),
  numPendingTests: number(),
  numTotalTests: number(),
  success: boolean(),
});
type Report = InferOutput<typeof reportSchema>;

/** The duration of a test file, and its number of tests. */
export type FileTime = { file: string; seconds: number; tests: number };

function getFileTimes(report: Report, root: string): FileTime[] {
  return report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }));
}

const getFirstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

/**
 * Failed tests, and files that failed before their first test, with the first line of the reason.
 */
function getFailures(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failedTests = assertionResults.filter(({ status }) => status === 'failed');
    if (failedTests.length === 0 && message !== '') return [`${file}: ${getFirstLine(message)}`];
    return failedTests.map(({ fullName, failureMessages: [reason] }) => `${file} > ${fullName}: ${getFirstLine(reason)}`);
  });
}

/** Reads a Vitest report; a run that failed outside a test counts as one failure. */
function toOutcome(report: Report, root: string, code: number, output: string): Outcome {
  const failedOutsideTests = code !== 0 && report.numFailedTests === 0;
  const failed = report.numFailedTests + (failedOutsideTests ? 1 : 0);
  const summary = formatTestCounts(report.numPassedTests, report.numTotalTests, output);
  const counts = { passed: report.numPassedTests, failed, ...toSkippedCount(report.numPendingTests) };
  if (failed === 0) return { ...counts, summary };
  return { ...counts, summary: `${output.trim()}\n${summary}`, failedTests: getFailures(report, root) };
}

/** Time limits in ms: a test file that runs long random walks may take four minutes. */
const defaultLimits: IdleLimitsMs = { beforeFirst: 300_000, betweenTests: 300_000 };

type VitestRun = {
  /** Run only tests that import one of these files, directly or indirectly. */
  related?: readonly string[];
  /** Patterns of test files to exclude. */
  exclude?: readonly string[];
  /** Added to the environment of the tests. */
  env?: Readonly<Record<string, string>>;
  /** Receives the duration of each file. */
  onFileTime?: ((time: FileTime) => void) | undefined;
  limits?: IdleLimitsMs;
};

/**
 * Runs Vitest projects. The run fails if no test runs (unless only related tests are requested), or
 * if a test never ends.
 */
export async function runVitest(
  root: string,
  projects: readonly string[],
  { related, exclude = [], env = {}, onFileTime = () => {}, limits = defaultLimits }: VitestRun = {},
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-vitest-'));
  const file = join(folder, 'report.json');
  const projectArgs = projects.flatMap((project) => ['--project', project]);
  const reporters = ['default', 'json', join(import.meta.dirname, 'vitest-reporter.ts')].map((name) => `--reporter=${name}`);
  const excludeArgs = exclude.flatMap((pattern) => ['--exclude', pattern]);
  const args = [
    ...(related ? ['related', ...related] : []),
    '--run',
    ...projectArgs,
    ...excludeArgs,
    ...reporters,
    `--outputFile.json=${file}`,
  ];
  const watchOptions = { cwd: root, env, log: join(folder, 'tests.log'), limits };
  const { code, output, abortReason } = await runWatched(bin(root, 'vitest'), args, watchOptions);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  if (abortReason !== null) return fail(`${output.trim()}\n${abortReason}`);
  if (text === null) return fail(`Vitest wrote no report\n${output.trim()}`);
  const report = parse(reportSchema, JSON.parse(text));
  getFileTimes(report, root).forEach(onFileTime);
  return toOutcome(report, root, code, output);
}

const fileReadingPattern = 'node:fs|process\\.cwd';

const findTests = async (root: string, pattern: string): Promise<string[]> => {
  const { output } = await run('git', ['grep', '-lE', pattern, '--', 'tests/*.test.ts*', ':!tests/tools'], { cwd: root });
  return output.split('\n').filter((path) => path !== '');
};

/**
 * Files that tests discover in folders: machines, their path models and descriptions, approved
 * texts, definitions of flows.
 */
const discoveredPaths = /^machines\/|^tests\/approved\/|(^|\/)(paths|words|index)\.tsx?$/;

/**
 * Finds the tests that may read changed files without importing them. Tests that discover machines
 * do not read screens.
 */
export async function findFileScanningTests(root: string, changed: readonly string[]): Promise<string[]> {
  const [scanningTests, discoveringTests] = await Promise.all([
    findTests(root, fileReadingPattern),
    findTests(root, 'path-models/(discovery|models)'),
  ]);
  const affectsDiscovery = changed.some((path) => discoveredPaths.test(path));
  return affectsDiscovery
    ? [...new Set([...scanningTests, ...discoveringTests])]
    : scanningTests.filter((path) => !discoveringTests.includes(path));
}

/**
 * Patterns of the tests of unchanged flows: flows do not import each other, so a change within one
 * does not affect others.
 */
export function excludeUnchangedFlows(changed: readonly string[]): string[] {
  const flows = changed.map((path) => /^(?:src|tests|tools\/tours|machines\/path-models)\/flows\/([^/]+)\//.exec(path)?.[1]);
  return flows.includes(undefined) ? [] : [`tests/flows/!(${[...new Set(flows)].join('|')})/**/*`];
}

/**
 * Runs the fast tests, or those that the changed files affect; `npm test` runs the slow ones too.
 */
export async function checkUnits(
  root: string,
  changed: ChangedFiles = null,
  onFileTime?: (time: FileTime) => void,
): Promise<Outcome> {
  const projects = ['unit', 'views', 'tools'];
  if (changed === null) return runVitest(root, projects, { onFileTime });
  if (changed.length === 0) return pass('no changed files');
  const related = [...changed, ...(await findFileScanningTests(root, changed))];
  return runVitest(root, projects, { onFileTime, related, exclude: excludeUnchangedFlows(changed) });
}
