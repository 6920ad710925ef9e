import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { array, boolean, number, object, parse, string, unknown, type InferOutput } from 'valibot';
import { bin } from '../process/run.ts';
import { broken, saysOfTests, type Outcome } from './step.ts';
import { runWatched, type Patience } from './watched-run.ts';

const reportSchema = object({
  testResults: array(object({ name: string(), startTime: number(), endTime: number(), assertionResults: array(unknown()) })),
  numPassedTests: number(),
  numFailedTests: number(),
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

/** Reads a Vitest report; a run that broke outside a test counts as one failure of its own. */
export function outcomeOf(report: Report, code: number, output: string): Outcome {
  const failedAnyway = code !== 0 && report.numFailedTests === 0;
  const failed = report.numFailedTests + (failedAnyway ? 1 : 0);
  const says = saysOfTests(report.numPassedTests, report.numTotalTests, output);
  return { passed: report.numPassedTests, failed, says: failed === 0 ? says : `${output.trim()}\n${says}` };
}

/** One test file, which walks at random for long, may take four minutes. */
const usual: Patience = { atFirst: 300_000, afterwards: 300_000 };

/** Runs Vitest projects, and tells `note` of each file. A run without any test, or with one that never ends, is a failure. */
export async function runVitest(
  root: string,
  projects: readonly string[],
  note: (time: FileTime) => void = () => {},
  patience = usual,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-vitest-'));
  const file = join(folder, 'report.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['default', 'json', join(import.meta.dirname, 'vitest-reporter.ts')].map((name) => `--reporter=${name}`);
  const args = ['run', ...chosen, ...reporters, `--outputFile.json=${file}`];
  const watched = { cwd: root, log: join(folder, 'tests.log'), patience };
  const { code, output, stuck } = await runWatched(bin(root, 'vitest'), args, watched);
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  if (stuck !== null) return broken(`${output.trim()}\n${stuck}`);
  if (text === null) return broken(`Vitest gave no report\n${output.trim()}`);
  const report = parse(reportSchema, JSON.parse(text));
  timesIn(report, root).forEach(note);
  return outcomeOf(report, code, output);
}

/** The quick ones; `npm test` runs the slow ones too. */
export function checkUnits(root: string, note?: (time: FileTime) => void): Promise<Outcome> {
  return runVitest(root, ['unit', 'views', 'tools'], note);
}
