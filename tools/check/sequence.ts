import { broken, type Outcome, type Step } from './step.ts';

/** Numbers of all steps together. */
export type Total = { passed: number; failed: number };

/** A step's outcome and how many seconds it took. */
export type Done = { name: string; outcome: Outcome; seconds: number };

const atOnce = 2;

async function doneOf(step: Step, root: string): Promise<Done> {
  const start = performance.now();
  const done = (outcome: Outcome): Done => ({ name: step.name, outcome, seconds: (performance.now() - start) / 1000 });
  try {
    return done(await step.run(root));
  } catch (error) {
    return done(broken(error instanceof Error ? (error.stack ?? error.message) : String(error)));
  }
}

/** Neighbours that may run beside each other, together; a step that runs alone, by itself. */
function groupsOf(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (last === undefined || step.alone || last[0]?.alone) groups.push([step]);
    else last.push(step);
  }
  return groups;
}

/** Starts the steps in their order, a few at once; each promise is about the step in its place. */
function started(root: string, steps: readonly Step[]): Promise<Done>[] {
  const results = steps.map((step) => ({ step, ...Promise.withResolvers<Done>() }));
  const waiting = results.values();
  const lane = async (): Promise<void> => {
    for (const { step, resolve } of waiting) resolve(await doneOf(step, root));
  };
  for (let count = 0; count < atOnce; count += 1) void lane();
  return results.map(({ promise }) => promise);
}

const linesShown = 20;

/** What failed, once more and in short: what a step printed may be long, and be cut where it is kept. Empty where all passed. */
export function whatFailed(steps: readonly Done[]): string {
  return steps
    .filter(({ outcome }) => outcome.failed > 0)
    .map(({ name, outcome: { failedTests = [], says } }) => {
      const lines = failedTests.length > 0 ? failedTests : says.split('\n').slice(-linesShown);
      return [`FAIL ${name}`, ...lines.map((line) => `  ${line}`)].join('\n');
    })
    .join('\n');
}

/**
 * The last lines of a run: the number of skipped tests, unless it is 0, and the sum over all steps,
 * for programs to read.
 */
export function sumOf(steps: readonly Done[]): string {
  const sum = (count: 'passed' | 'failed' | 'skipped'): number =>
    steps.reduce((all, { outcome }) => all + (outcome[count] ?? 0), 0);
  const skipped = sum('skipped');
  return `${skipped === 0 ? '' : `${skipped} skipped\n`}${sum('passed')} passed, ${sum('failed')} failed`;
}

/**
 * Runs every step, also after a failure, two at once where none has to be alone, and tells each one's result with its
 * seconds in their order.
 */
export async function runSteps(
  root: string,
  steps: readonly Step[],
  tell: (line: string) => void = console.log,
  note: (done: Done) => void = () => {},
): Promise<Total> {
  const total: Total = { passed: 0, failed: 0 };
  for (const group of groupsOf(steps)) {
    for (const result of started(root, group)) {
      const done = await result;
      const { passed, failed, skipped = 0, says } = done.outcome;
      const verdict = failed > 0 ? 'FAIL' : passed === 0 && skipped > 0 ? 'skip' : 'ok  ';
      const more = says.includes('\n') || failed > 0 ? `\n${says}` : `: ${says}`;
      tell(`${verdict} ${done.name} (${done.seconds.toFixed(1)} s)${more}`);
      note(done);
      total.passed += passed;
      total.failed += failed;
    }
  }
  return total;
}
