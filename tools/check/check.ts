/**
 * The CI check. After a green run, the next one lints only changed files, and runs only tests that
 * depend on them. In a new clone, these are the changes of the last commit: earlier ones landed
 * green. A changed type may break a lint rule in a file that imports it, and a test may read files
 * that it does not import: `--all` checks everything, as `npm test` always does.
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
