import { runSteps, sumOf, whatFailed, type Done } from '../check/sequence.ts';
import { gate } from '../check/steps.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { UsageError } from '../process/command-line.ts';
import { checkBrowser, checkFirefox } from './browser-tests.ts';
import { hasFirefox, serverTurn, partSays, partToRun, slowFilesLeftOut, themesOf } from './parts.ts';
import { timeTable } from './time-table.ts';

const root = process.cwd();
const part = await partToRun(root, process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  console.error('npm test, npm test -- --all, npm test -- --part N');
  process.exit(2);
});
console.log(partSays(part));
process.env['THEMES'] = themesOf(part);

const files: FileTime[] = [];
const steps: Done[] = [];
const note = (file: FileTime): void => void files.push(file);
/** In one run, so that a long test of one project leaves the other processor to the others. */
const slowProjects = ['slow', 'server', 'server-postgres'];

const { failed } = await runSteps(
  root,
  [
    ...gate(null, note),
    {
      name:
        part === null
          ? 'slow tests of the tools, server tests on both databases'
          : 'slow tests of the tools, half of the server tests',
      alone: true,
      run: async () =>
        runVitest(root, slowProjects, { note, without: await slowFilesLeftOut(root, part), env: serverTurn(part) }),
    },
    { name: 'browser tests', alone: true, run: () => checkBrowser(root, part, note) },
    ...(hasFirefox(part) ? [{ name: 'stories in Firefox', alone: true, run: () => checkFirefox(root, note) }] : []),
  ],
  console.log,
  (done) => steps.push(done),
);
console.log(timeTable(steps, files));
if (failed > 0) console.log(whatFailed(steps));
console.log(sumOf(steps));
process.exitCode = failed === 0 ? 0 : 1;
