// Runs on a bare Node 20, before anything is installed:
// `node tools/start/run.mjs <program> [arguments]`.
import { join } from 'node:path';
import { installDependencies } from './install.mjs';
import { getProjectNode, root, runHere } from './runtime.mjs';

const [program = '', ...args] = process.argv.slice(2);

try {
  await installDependencies();
  process.exitCode = await runHere(getProjectNode(), [join(root, program), ...args]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
