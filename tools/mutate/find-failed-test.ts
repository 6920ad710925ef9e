import { bin, run } from '../process/run.ts';
import type { Mutant } from './mutant.ts';

/** Tests of specification rows, which are only in `meta`. */
const metaTests = ['tests/paths/spec-rows.test.ts'];

/** Runs a machine's own tests with one mutation. @returns a test that failed; null if all passed */
export const findFailedTest = async (
  root: string,
  mutant: Mutant,
  ownTests: readonly string[],
  timeOut: number,
): Promise<string | null> => {
  const tests = mutant.kind === 'meta' ? metaTests : ownTests;
  if (tests.length === 0) return null;
  const args = ['--run', '--config', 'tools/mutate/vitest.config.ts', '--project', 'unit', '--project', 'views', '--bail=1'];
  const { code, output } = await run(bin(root, 'vitest'), [...args, '--passWithNoTests', ...tests], {
    cwd: root,
    env: { COLOPHON_MUTANT: JSON.stringify(mutant) },
    signal: AbortSignal.timeout(timeOut),
  });
  if (code === 0) return null;
  return /FAIL\s+(.*)/.exec(output)?.[1] ?? 'its own tests, which did not end';
};
