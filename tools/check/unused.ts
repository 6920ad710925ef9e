import { join } from 'node:path';
import { bin, run } from '../process/run.ts';
import { broken, holds, type Outcome } from './step.ts';

/** Unused files, exports, types and dependencies of the tree under `root`. */
export async function checkUnused(root: string, config = join(root, 'tools/check/knip.json')): Promise<Outcome> {
  const { code, output } = await run(bin(process.cwd(), 'knip'), ['--directory', root, '--config', config, '--no-progress'], {
    cwd: root,
  });
  return code === 0 ? holds('no unused file, export or dependency') : broken(output.trim());
}
