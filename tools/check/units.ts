import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boolean, number, object, parse, type InferOutput } from 'valibot';
import { bin, run } from '../process/run.ts';
import { broken, saysOfTests, type Outcome } from './step.ts';

const reportSchema = object({
  numPassedTests: number(),
  numFailedTests: number(),
  numTotalTests: number(),
  success: boolean(),
});
type Report = InferOutput<typeof reportSchema>;

/** Reads a Vitest report; a run that broke outside a test counts as one failure of its own. */
export function outcomeOf(report: Report, code: number, output: string): Outcome {
  const failedAnyway = code !== 0 && report.numFailedTests === 0;
  const failed = report.numFailedTests + (failedAnyway ? 1 : 0);
  const says = saysOfTests(report.numPassedTests, report.numTotalTests, output);
  return { passed: report.numPassedTests, failed, says: failed === 0 ? says : `${output.trim()}\n${says}` };
}

/** Runs Vitest projects; `env` reaches the tests. A run without any test is a failure. */
export async function runVitest(root: string, projects: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-vitest-'));
  const file = join(folder, 'report.json');
  const chosen = projects.flatMap((project) => ['--project', project]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const { code, output } = await run(bin(root, 'vitest'), ['run', ...chosen, ...reporters], { cwd: root, env });
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  if (text === null) return broken(`Vitest gave no report\n${output.trim()}`);
  return outcomeOf(parse(reportSchema, JSON.parse(text)), code, output);
}

export function checkUnits(root: string): Promise<Outcome> {
  return runVitest(root, ['unit', 'views', 'tools']);
}
