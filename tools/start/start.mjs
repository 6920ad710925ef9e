// Runs on a bare Node 20, before anything is installed.
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { installDependencies } from './install.mjs';
import { getProjectNode, root, runHere } from './runtime.mjs';

try {
  await installDependencies();
  await buildIfStale();
  process.exitCode = await runHere(getProjectNode(), [join(root, 'server', 'main.ts')]);
} catch (error) {
  // The failed program has printed the reason; a stack trace of this file adds nothing.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
