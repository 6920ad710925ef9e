import { bin, fewerGarbageCollections, run } from '../process/run.ts';
import { broken, holds, type Outcome } from './step.ts';

/**
 * Compiles the projects that `tsconfig.json` refers to, each file once; what was found is kept in `.cache/types`. `machines`
 * stands apart: its compile knows neither DOM nor Node, so a browser global in a machine is a type error.
 */
export async function checkTypes(root: string): Promise<Outcome> {
  // Several threads would find out the same types several times: one takes a third of the processor's time and no longer.
  const args = ['--build', 'tsconfig.json', '--singleThreaded'];
  const { code, output } = await run(bin(root, 'tsc'), args, { cwd: root, env: fewerGarbageCollections });
  return code === 0 ? holds('all projects compile') : broken(output.trim());
}
