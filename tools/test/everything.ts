import { runSteps, type Done } from '../check/sequence.ts';
import { gate } from '../check/steps.ts';
import { runVitest, type FileTime } from '../check/units.ts';
import { checkBrowser } from './browser-tests.ts';
import { timeTable } from './time-table.ts';

const files: FileTime[] = [];
const steps: Done[] = [];
const note = (file: FileTime): void => void files.push(file);
/** In one run, so that a long test of one project leaves the other processor to the others. */
const slowProjects = ['slow', 'server', 'server-postgres'];

const { passed, failed } = await runSteps(
  process.cwd(),
  [
    ...gate(null, note),
    {
      name: 'slow tests of the tools, server tests on both databases',
      alone: true,
      run: (root: string) => runVitest(root, slowProjects, { note }),
    },
    { name: 'browser tests', alone: true, run: (root: string) => checkBrowser(root, note) },
  ],
  console.log,
  (done) => steps.push(done),
);
console.log(timeTable(steps, files));
// The last line is the sum over all runners, for programs to read.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
