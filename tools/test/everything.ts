import { runSteps, formatTotals, formatFailures, type StepResult } from '../check/sequence.ts';
import { createCheckSteps } from '../check/steps.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { UsageError } from '../process/command-line.ts';
import { checkBrowser, checkFirefox } from './browser-tests.ts';
import { hasFirefox, getServerShardEnv, describeShard, getShardToRun, findExcludedSlowFiles, getThemeShard } from './shards.ts';
import { formatTimeTable } from './time-table.ts';

const root = process.cwd();
const part = await getShardToRun(root, process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  console.error('npm test, npm test -- --all, npm test -- --part N');
  process.exit(2);
});
console.log(describeShard(part));
process.env['THEMES'] = getThemeShard(part);

const files: FileTime[] = [];
const steps: StepResult[] = [];
const note = (file: FileTime): void => void files.push(file);
/**
 * One run for all projects, so that a long test of one leaves the other processor to the others.
 */
const slowProjects = ['slow', 'server', 'server-postgres'];

const { failed } = await runSteps(
  root,
  [
    ...createCheckSteps(null, note),
    {
      name:
        part === null
          ? 'slow tests of the tools, server tests on both databases'
          : 'slow tests of the tools, half of the server tests',
      alone: true,
      run: async () =>
        runVitest(root, slowProjects, { note, without: await findExcludedSlowFiles(root, part), env: getServerShardEnv(part) }),
    },
    { name: 'browser tests', alone: true, run: () => checkBrowser(root, part, note) },
    ...(hasFirefox(part) ? [{ name: 'stories in Firefox', alone: true, run: () => checkFirefox(root, note) }] : []),
  ],
  console.log,
  (done) => steps.push(done),
);
console.log(formatTimeTable(steps, files));
if (failed > 0) console.log(formatFailures(steps));
console.log(formatTotals(steps));
process.exitCode = failed === 0 ? 0 : 1;
