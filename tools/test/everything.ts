import { runSteps } from '../check/sequence.ts';
import { gate } from '../check/steps.ts';
import { runVitest } from '../check/units.ts';
import { checkBrowser } from './browser-tests.ts';

const { passed, failed } = await runSteps(process.cwd(), [
  ...gate,
  { name: 'server tests, embedded database', run: (root) => runVitest(root, ['server']) },
  { name: 'server tests, real PostgreSQL', run: (root) => runVitest(root, ['server-postgres']) },
  { name: 'browser tests', run: checkBrowser },
]);
// The last line is the sum over all runners, for programs to read.
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
