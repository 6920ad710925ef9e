// Runs on a bare Node 20, before anything is installed.
import { join } from 'node:path';
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing } from './install.mjs';
import { projectNode, root, runHere } from './runtime.mjs';

try {
  await installWhatIsMissing();
  await buildWhatIsStale();
  process.exitCode = await runHere(projectNode(), [join(root, 'server', 'main.ts')]);
} catch (error) {
  // The program that failed has said why; where in this file it was called adds nothing.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
