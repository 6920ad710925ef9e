import { bin, reducedGcEnv, run } from '../process/run.ts';
import { fail, pass, type Outcome } from './step.ts';

/**
 * Compiles the projects that `tsconfig.json` references, each file once; results are cached in
 * `.cache/types`. `machines` is its own project, compiled without DOM and Node types, so that a
 * browser global in a machine is a type error.
 */
export async function checkTypes(root: string): Promise<Outcome> {
  // Several threads would infer the same types repeatedly: one takes a third of the CPU time and no
  // longer in total.
  const args = ['--build', 'tsconfig.json', '--singleThreaded'];
  const { code, output } = await run(bin(root, 'tsc'), args, { cwd: root, env: reducedGcEnv });
  return code === 0 ? pass('all projects compile') : fail(output.trim());
}
