// Runs on a bare Node 20, before anything is installed.
import { join } from 'node:path';
import { installDependencies } from '../start/install.mjs';
import { installTestPrograms } from '../start/programs.mjs';
import { getProjectNode, root, runHere } from '../start/runtime.mjs';

try {
  await installDependencies();
  await installTestPrograms();
  process.exitCode = await runHere(getProjectNode(), [join(root, 'tools', 'test', 'everything.ts'), ...process.argv.slice(2)]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
