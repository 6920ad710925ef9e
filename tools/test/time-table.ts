import type { Done } from '../check/sequence.ts';
import type { FileTime } from '../check/units.ts';

const slowestShown = 30;

const row = (seconds: number, tests: number, name: string): string =>
  `${seconds.toFixed(1).padStart(8)} s ${String(tests).padStart(6)}  ${name}`;

/** Where the time went: each step with its seconds and tests, then the files whose tests took longest. */
export function timeTable(steps: readonly Done[], files: readonly FileTime[]): string {
  const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestShown);
  return [
    '   seconds  tests  step',
    ...steps.map(({ name, seconds, outcome }) => row(seconds, outcome.passed + outcome.failed, name)),
    '   seconds  tests  slowest files',
    ...slowest.map(({ file, seconds, tests }) => row(seconds, tests, file)),
  ].join('\n');
}
