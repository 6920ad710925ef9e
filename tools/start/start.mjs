// Runs on a bare Node 20, before anything is installed.
import { join } from 'node:path';
import { buildWhatIsStale } from './build.mjs';
import { installWhatIsMissing } from './install.mjs';
import { projectNode, root, runHere } from './runtime.mjs';

const developing = process.argv.includes('--dev');

try {
  await installWhatIsMissing();
  if (!developing) await buildWhatIsStale();
  const program = developing ? join('tools', 'start', 'dev.ts') : join('server', 'main.ts');
  process.exitCode = await runHere(projectNode(), [join(root, program)]);
} catch (error) {
  // The program that failed has said why; where in this file it was called adds nothing.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
