import type { StepResult } from '../check/sequence.ts';
import type { FileTime } from '../check/units.ts';

const MAX_SHOWN_FILES = 30;

const formatRow = (seconds: number, tests: number, name: string): string =>
  `${seconds.toFixed(1).padStart(8)} s ${String(tests).padStart(6)}  ${name}`;

/** A table of durations: each step with its seconds and tests, then the slowest test files. */
export function formatTimeTable(steps: readonly StepResult[], files: readonly FileTime[]): string {
  const slowestFiles = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, MAX_SHOWN_FILES);
  return [
    '   seconds  tests  step',
    ...steps.map(({ name, seconds, outcome }) => formatRow(seconds, outcome.passed + outcome.failed, name)),
    '   seconds  tests  slowest files',
    ...slowestFiles.map(({ file, seconds, tests }) => formatRow(seconds, tests, file)),
  ].join('\n');
}
