import { fail, type Outcome, type Step } from './step.ts';

/** Counts over all steps. */
export type Total = { passed: number; failed: number };

/** A step's outcome and its duration in seconds. */
export type StepResult = { name: string; outcome: Outcome; seconds: number };

const MAX_PARALLEL_STEPS = 2;

async function runStep(step: Step, root: string): Promise<StepResult> {
  const start = performance.now();
  const toResult = (outcome: Outcome): StepResult => ({ name: step.name, outcome, seconds: (performance.now() - start) / 1000 });
  try {
    return toResult(await step.run(root));
  } catch (error) {
    return toResult(fail(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
}

/** Groups adjacent steps that may run concurrently; a step that runs alone is its own group. */
function groupSteps(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const lastGroup = groups.at(-1);
    if (lastGroup === undefined || step.alone || lastGroup[0]?.alone) groups.push([step]);
    else lastGroup.push(step);
  }
  return groups;
}

/** Starts the steps in order, a few at once; each promise resolves for the step at its index. */
function startSteps(root: string, steps: readonly Step[]): Promise<StepResult>[] {
  const results = steps.map((step) => ({ step, ...Promise.withResolvers<StepResult>() }));
  const queue = results.values();
  const runQueue = async (): Promise<void> => {
    for (const { step, resolve } of queue) resolve(await runStep(step, root));
  };
  for (let count = 0; count < MAX_PARALLEL_STEPS; count += 1) void runQueue();
  return results.map(({ promise }) => promise);
}

const MAX_SHOWN_LINES = 20;

/**
 * Repeats the failures in short, since a step's output may be long and truncated in logs. Empty if
 * all passed.
 */
export function formatFailures(steps: readonly StepResult[]): string {
  return steps
    .filter(({ outcome }) => outcome.failed > 0)
    .map(({ name, outcome: { failedTests = [], summary } }) => {
      const lines = failedTests.length > 0 ? failedTests : summary.split('\n').slice(-MAX_SHOWN_LINES);
      return [`FAIL ${name}`, ...lines.map((line) => `  ${line}`)].join('\n');
    })
    .join('\n');
}

/**
 * The last lines of a run, machine-readable: the number of skipped tests, unless it is 0, and the
 * sum over all steps.
 */
export function formatTotals(steps: readonly StepResult[]): string {
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    steps.reduce((total, { outcome }) => total + (outcome[count] ?? 0), 0);
  const skippedCount = sum('skipped');
  return `${skippedCount === 0 ? '' : `${skippedCount} skipped\n`}${sum('passed')} passed, ${sum('failed')} failed`;
}

/**
 * Runs every step, also after a failure, two at once unless a step runs alone, and prints each
 * result with its seconds, in the steps' order.
 */
export async function runSteps(
  root: string,
  steps: readonly Step[],
  print: (line: string) => void = console.log,
  onResult: (result: StepResult) => void = () => {},
): Promise<Total> {
  const total: Total = { passed: 0, failed: 0 };
  for (const group of groupSteps(steps)) {
    for (const result of startSteps(root, group)) {
      const stepResult = await result;
      const { passed, failed, skipped = 0, summary } = stepResult.outcome;
      const verdict = failed > 0 ? 'FAIL' : passed === 0 && skipped > 0 ? 'skip' : 'ok  ';
      const details = summary.includes('\n') || failed > 0 ? `\n${summary}` : `: ${summary}`;
      print(`${verdict} ${stepResult.name} (${stepResult.seconds.toFixed(1)} s)${details}`);
      onResult(stepResult);
      total.passed += passed;
      total.failed += failed;
    }
  }
  return total;
}
