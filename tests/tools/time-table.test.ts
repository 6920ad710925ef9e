import { expect, test } from 'vitest';
import { timeTable } from '../../tools/test/time-table.ts';

test('each step has its seconds and tests, and the ten slowest files follow, the slowest first', () => {
  const steps = [{ name: 'types', outcome: { passed: 1, failed: 0, says: '' }, seconds: 2.04 }];
  const files = Array.from({ length: 12 }, (_, place) => ({ file: `file-${place}`, seconds: place, tests: 3 }));
  const lines = timeTable(steps, files).split('\n');
  expect(lines.slice(0, 3)).toEqual(['   seconds  tests  step', '     2.0 s      1  types', '   seconds  tests  slowest files']);
  expect(lines.slice(3)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((place) => `${`${place}.0`.padStart(8)} s      3  file-${place}`),
  );
});
