/**
 * The gate. After a run that was green, the next one lints the files that have changed and runs the tests that these
 * reach. A type that changed may break a lint rule in a file that imports it, and a test may read what it does not
 * import: `--all` checks everything again, as `npm test` always does.
 */
import { changedBetween, hashesOf, readGreen, writeGreen } from './changed.ts';
import { runSteps } from './sequence.ts';
import { gate } from './steps.ts';

const root = process.cwd();
const hashes = await hashesOf(root);
const changed = process.argv.includes('--all') ? null : changedBetween(await readGreen(root), hashes);
if (changed)
  console.log(`${changed.length} files changed since the last green run; \`npm run check -- --all\` checks everything`);

const { passed, failed } = await runSteps(root, gate(changed));
if (failed === 0) await writeGreen(root, hashes);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
