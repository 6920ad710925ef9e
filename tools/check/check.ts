/**
 * The gate. After a run that was green, the next one lints the files that have changed and runs the tests that these
 * reach. In a new clone, that is what the last commit has changed: what stands before it has landed green. A type that changed may break a lint rule in a file that imports it, and a test may read what it does not
 * import: `--all` checks everything again, as `npm test` always does.
 */
import { changedBetween, hashesOf, readGreen, readLanded, writeGreen } from './changed.ts';
import { runSteps } from './sequence.ts';
import { gate } from './steps.ts';

const root = process.cwd();
const hashes = await hashesOf(root);
const green = await readGreen(root);
const changed = process.argv.includes('--all') ? null : changedBetween(green ?? (await readLanded(root)), hashes);
if (changed) {
  const since = green ? 'the last green run' : 'the commit before the last';
  console.log(`${changed.length} files changed since ${since}; \`npm run check -- --all\` checks everything`);
}

const { passed, failed } = await runSteps(root, gate(changed));
if (failed === 0) await writeGreen(root, hashes);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
