import { expect, test } from 'vitest';
import { formatTimeTable } from '../../tools/test/time-table.ts';

test('each step has its seconds and tests, and the thirty slowest files follow, the slowest first', () => {
  const steps = [{ name: 'types', outcome: { passed: 1, failed: 0, summary: '' }, seconds: 2.04 }];
  const files = Array.from({ length: 32 }, (_, index) => ({ file: `file-${index}`, seconds: index, tests: 3 }));
  const lines = formatTimeTable(steps, files).split('\n');
  expect(lines.slice(0, 3)).toEqual(['   seconds  tests  step', '     2.0 s      1  types', '   seconds  tests  slowest files']);
  expect(lines.slice(3)).toEqual(
    Array.from({ length: 30 }, (_, index) => `${(31 - index).toFixed(1).padStart(8)} s      3  file-${31 - index}`),
  );
});
