/**
 * The CI check. After a green run, the next one lints only changed files, and runs only tests that
 * depend on them. In a new clone, these are the changes of the last commit: earlier ones landed
 * green. A changed type may break a lint rule in a file that imports it, and a test may read files
 * that it does not import: `--all` checks everything, as `npm test` always does.
 */
import { diffHashes, hashFiles, readLastPassed, readParentCommit, writeLastPassed } from './changed-files.ts';
import { runSteps } from './sequence.ts';
import { createCheckSteps } from './steps.ts';

const root = process.cwd();
const hashes = await hashFiles(root);
const lastPassed = await readLastPassed(root);
const changedFiles = process.argv.includes('--all') ? null : diffHashes(lastPassed ?? (await readParentCommit(root)), hashes);
if (changedFiles) {
  const baseline = lastPassed ? 'the last green run' : 'the commit before the last';
  console.log(`${changedFiles.length} files changed since ${baseline}; \`npm run check -- --all\` checks everything`);
}

const { passed, failed } = await runSteps(root, createCheckSteps(changedFiles));
if (failed === 0) await writeLastPassed(root, hashes);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
