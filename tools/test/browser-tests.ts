import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { number, object, parse } from 'valibot';
import { broken, saysOfTests, type Outcome } from '../check/step.ts';
import { bin, run } from '../process/run.ts';
import { buildWhatIsStale } from '../start/build.mjs';

const reportSchema = object({
  stats: object({ expected: number(), unexpected: number(), flaky: number(), skipped: number() }),
});

/** Runs Playwright's tests against the built pages. A run that breaks outside a test, or finds none, is one failure. */
export async function runBrowserTests(root: string, config = 'tests/e2e/playwright.config.ts'): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'colophon-browser-'));
  const file = join(folder, 'report.json');
  const env = { COLOPHON_BROWSER_REPORT: file, NODE_NO_WARNINGS: '1' };
  const { code, output } = await run(bin(root, 'playwright'), ['test', '-c', config], { cwd: root, env });
  const text = await readFile(file, 'utf8').catch(() => null);
  await rm(folder, { recursive: true, force: true });
  if (text === null) return broken(`Playwright gave no report\n${output.trim()}`);
  const { expected, unexpected, flaky, skipped } = parse(reportSchema, JSON.parse(text)).stats;
  const failed = unexpected + flaky;
  const says = saysOfTests(expected, expected + failed + skipped, output);
  if (code === 0) return { passed: expected, failed, says };
  return { passed: expected, failed: Math.max(failed, 1), says: `${output.trim()}\n${says}` };
}

export async function checkBrowser(root: string): Promise<Outcome> {
  await buildWhatIsStale();
  return runBrowserTests(root);
}
