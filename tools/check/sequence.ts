import { broken, type Outcome, type Step } from './step.ts';

/** Numbers of all steps together. */
export type Total = { passed: number; failed: number };

async function outcomeOf(step: Step, root: string): Promise<Outcome> {
  try {
    return await step.run(root);
  } catch (error) {
    return broken(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
}

/** Runs every step in order, also after a failure, and tells each one's result with its seconds. */
export async function runSteps(root: string, steps: readonly Step[], tell: (line: string) => void = console.log): Promise<Total> {
  const total: Total = { passed: 0, failed: 0 };
  for (const step of steps) {
    const start = performance.now();
    const { passed, failed, says } = await outcomeOf(step, root);
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const verdict = failed === 0 ? 'ok  ' : 'FAIL';
    tell(`${verdict} ${step.name} (${seconds} s)${says.includes('\n') || failed > 0 ? `\n${says}` : `: ${says}`}`);
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}
