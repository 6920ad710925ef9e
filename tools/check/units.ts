import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { array, boolean, nullish, number, object, parse, string, type InferOutput } from 'valibot';
import { bin, run } from '../process/run.ts';
import type { Changed } from './changed.ts';
import { broken, holds, saysOfTests, skippedCount, type Outcome } from './step.ts';
import { runWatched, type IdleLimits } from './watched-run.ts';

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

/** How long a file's tests took, and how many they are. */
export type FileTime = { file: string; seconds: number; tests: number };

function timesIn(report: Report, root: string): FileTime[] {
  return report.testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative(root, name),
    seconds: (endTime - startTime) / 1000,
    tests: assertionResults.length,
  }));
}

const firstLine = (text = ''): string => text.split('\n', 1)[0] ?? '';

/** Which tests failed, and which files never came to one, with the first line of why. */
function failuresIn(report: Report, root: string): string[] {
  return report.testResults.flatMap(({ name, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0 && message !== '') return [`${file}: ${firstLine(message)}`];
    return failed.map(({ fullName, failureMessages: [why] }) => `${file} > ${fullName}: ${firstLine(why)}`);
  });
}

/** Reads a Vitest report; a run that broke outside a test counts as one failure of its own. */
function outcomeOf(report: Report, root: string, code: number, output: string): Outcome {
  const failedAnyway = code !== 0 && report.numFailedTests === 0;
  const failed = report.numFailedTests + (failedAnyway ? 1 : 0);
  const says = saysOfTests(report.numPassedTests, report.numTotalTests, output);
  const counts = { passed: report.numPassedTests, failed, ...skippedCount(report.numPendingTests) };
  if (failed === 0) return { ...counts, says };
  return { ...counts, says: `${output.trim()}\n${says}`, failedTests: failuresIn(report, root) };
}

/** One test file, which walks at random for long, may take four minutes. */
const usual: IdleLimits = { atFirst: 300_000, afterwards: 300_000 };

type VitestRun = {
  /** Only the tests that import one of these files, directly or not. */
  related?: readonly string[];
  /** Patterns of test files that are left out. */
  without?: readonly string[];
  /** Added to the environment of the tests. */
  env?: Readonly<Record<string, string>>;
  /** Is told of each file. */
  note?: ((time: FileTime) => void) | undefined;
  limits?: IdleLimits;
};

/** Runs Vitest projects. A run without any test (unless only related ones are asked for), or with one that never ends, is a failure. */
export async function runVitest(
  root: string,
  projects: readonly string[],
  { related, without = [], env = {}, note = () => {}, limits = usual }: VitestRun = {},
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-vitest-'));
  const file = join(folder, 'report.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['default', 'json', join(import.meta.dirname, 'vitest-reporter.ts')].map((name) => `--reporter=${name}`);
  const excluded = without.flatMap((pattern) => ['--exclude', pattern]);
  const args = [
    ...(related ? ['related', ...related] : []),
    '--run',
    ...chosen,
    ...excluded,
    ...reporters,
    `--outputFile.json=${file}`,
  ];
  const watched = { cwd: root, env, log: join(folder, 'tests.log'), limits };
  const { code, output, stuck } = await runWatched(bin(root, 'vitest'), args, watched);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  if (stuck !== null) return broken(`${output.trim()}\n${stuck}`);
  if (text === null) return broken(`Vitest gave no report\n${output.trim()}`);
  const report = parse(reportSchema, JSON.parse(text));
  timesIn(report, root).forEach(note);
  return outcomeOf(report, root, code, output);
}

const readsFiles = 'node:fs|process\\.cwd';

const testsWith = async (root: string, pattern: string): Promise<string[]> => {
  const { output } = await run('git', ['grep', '-lE', pattern, '--', 'tests/*.test.ts*', ':!tests/tools'], { cwd: root });
  return output.split('\n').filter((path) => path !== '');
};

/** What tests look for in the folders: machines, their path models with their descriptions, what was approved of them, the definitions of flows. */
const isDiscovered = /^machines\/|^tests\/approved\/|(^|\/)(paths|words|index)\.tsx?$/;

/** Tests that read changed files of the project without importing them: those that look for machines do not read screens. */
export async function readingTests(root: string, changed: readonly string[]): Promise<string[]> {
  const [reading, looking] = await Promise.all([testsWith(root, readsFiles), testsWith(root, 'path-models/(discovery|models)')]);
  const isConcerned = changed.some((path) => isDiscovered.test(path));
  return isConcerned ? [...new Set([...reading, ...looking])] : reading.filter((path) => !looking.includes(path));
}

/** Patterns of the tests of other flows: flows do not import each other, so a change within one does not reach them. */
export function otherFlows(changed: readonly string[]): string[] {
  const flows = changed.map((path) => /^(?:src|tests|tools\/tours|machines\/path-models)\/flows\/([^/]+)\//.exec(path)?.[1]);
  return flows.includes(undefined) ? [] : [`tests/flows/!(${[...new Set(flows)].join('|')})/**/*`];
}

/** The quick ones, or of these what the changed files reach; `npm test` runs the slow ones too. */
export async function checkUnits(root: string, changed: Changed = null, note?: (time: FileTime) => void): Promise<Outcome> {
  const projects = ['unit', 'views', 'tools'];
  if (changed === null) return runVitest(root, projects, { note });
  if (changed.length === 0) return holds('nothing has changed');
  const related = [...changed, ...(await readingTests(root, changed))];
  return runVitest(root, projects, { note, related, without: otherFlows(changed) });
}
