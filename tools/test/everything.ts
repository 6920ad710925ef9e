import { runSteps, formatTotals, formatFailures, type StepResult } from '../check/sequence.ts';
import { createCheckSteps } from '../check/steps.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { UsageError } from '../process/command-line.ts';
import { checkBrowser, checkFirefox } from './browser-tests.ts';
import { hasFirefox, getServerShardEnv, describeShard, getShardToRun, findExcludedSlowFiles, getThemeShard } from './shards.ts';
import { formatTimeTable } from './time-table.ts';

const root = process.cwd();
const shard = await getShardToRun(root, process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  console.error('npm test, npm test -- --all, npm test -- --part N');
  process.exit(2);
});
console.log(describeShard(shard));
process.env['THEMES'] = getThemeShard(shard);

const files: FileTime[] = [];
const steps: StepResult[] = [];
const onFileTime = (file: FileTime): void => void files.push(file);
/**
 * Vitest projects that run together: while a long test of one project occupies a processor, the
 * other processor runs tests of the others.
 */
const slowProjects = ['slow', 'server', 'server-postgres'];

const { failed } = await runSteps(
  root,
  [
    ...createCheckSteps(null, onFileTime),
    {
      name:
        shard === null
          ? 'slow tests of the tools, server tests on both databases'
          : 'slow tests of the tools, half of the server tests',
      alone: true,
      run: async () =>
        runVitest(root, slowProjects, {
          onFileTime,
          exclude: await findExcludedSlowFiles(root, shard),
          env: getServerShardEnv(shard),
        }),
    },
    { name: 'browser tests', alone: true, run: () => checkBrowser(root, shard, onFileTime) },
    ...(hasFirefox(shard) ? [{ name: 'stories in Firefox', alone: true, run: () => checkFirefox(root, onFileTime) }] : []),
  ],
  console.log,
  (result) => steps.push(result),
);
console.log(formatTimeTable(steps, files));
if (failed > 0) console.log(formatFailures(steps));
console.log(formatTotals(steps));
process.exitCode = failed === 0 ? 0 : 1;
