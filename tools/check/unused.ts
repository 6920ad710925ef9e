import { join } from 'node:path';
import { bin, run } from '../process/run.ts';
import { fail, pass, type Outcome } from './step.ts';

/** Finds unused files, exports, types and dependencies of the tree under `root`. */
export async function checkUnused(root: string, config = join(root, 'tools/check/knip.json')): Promise<Outcome> {
  const { code, output } = await run(bin(process.cwd(), 'knip'), ['--directory', root, '--config', config, '--no-progress'], {
    cwd: root,
  });
  return code === 0 ? pass('no unused file, export or dependency') : fail(output.trim());
}
