import { expect, test } from 'vitest';
import { runSteps, formatTotals, formatFailures, type StepResult } from '../../tools/check/sequence.ts';
import { fail, pass } from '../../tools/check/step.ts';
import { runVitest } from '../../tools/check/units.ts';
import { plantTree } from './support/tree.ts';

const config = `import { defineConfig } from 'vitest/config'\nexport default defineConfig({ test: { projects: [{ test: { name: 'unit', include: ['tests/*.test.ts'] } }] } })\n`;
const passingTest = `import { test } from 'vitest'\ntest('holds', () => {})\n`;

function plantSuite(text: string): Promise<string> {
  return plantTree({ 'vitest.config.ts': config, 'tests/good.test.ts': passingTest, 'tests/other.test.ts': text });
}

test('passed tests are counted', async () => {
  expect(await runVitest(await plantSuite(passingTest), ['unit'])).toEqual({
    passed: 2,
    failed: 0,
    summary: '2 of 2 tests passed',
  });
});

test.each([
  ['a failed test', `import { test } from 'vitest'\ntest('fails', () => { throw new Error('planted') })\n`],
  ['a test that throws no error', `import { test } from 'vitest'\ntest('fails', () => { throw { planted: 404 } })\n`],
  ['a file that does not load', `throw new Error('planted')\n`],
])('%s is counted and shown', async (_, text) => {
  const outcome = await runVitest(await plantSuite(text), ['unit']);
  expect(outcome).toMatchObject({ passed: 1, failed: 1 });
  expect(outcome.summary).toContain('planted');
  const failureText = formatFailures([{ name: 'unit tests', outcome, seconds: 1 }]);
  expect(failureText).toMatch(/^FAIL unit tests\n  tests\/other\.test\.ts.*: (?:(?:Error: )?planted)?$/);
});

test('a skipped test is counted, and its reason reported', async () => {
  const skippedTest = `import { test } from 'vitest'\nconsole.log('skipped: no books')\ntest.skip('reads a book', () => {})\n`;
  expect(await runVitest(await plantSuite(skippedTest), ['unit'])).toEqual({
    passed: 1,
    failed: 0,
    skipped: 1,
    summary: '1 of 2 tests passed; skipped: no books',
  });
});

test.each([
  ['a test', `import { test } from 'vitest'\ntest('never ends', () => { for (;;); })\n`],
  ['a file', 'for (;;);\n'],
])('%s that never ends is killed and named', async (_, text) => {
  const limits = { beforeFirst: 60_000, betweenTests: 2000 };
  const { passed, failed, summary } = await runVitest(await plantSuite(text), ['unit'], { limits });
  expect({ passed, failed }).toEqual({ passed: 0, failed: 1 });
  expect(summary).toMatch(/no test started or ended for 2 s\. Still running:[^]*\n  unit: tests\/other\.test\.ts/);
});

test('a run that finds no test fails', async () => {
  const root = await plantTree({ 'vitest.config.ts': config });
  expect(await runVitest(root, ['unit'])).toMatchObject({ passed: 0, failed: 1 });
});

test('the last 20 lines of a failed step without test names are repeated', () => {
  const output = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  const steps = [
    { name: 'types', outcome: pass('fine'), seconds: 1 },
    { name: 'lint', outcome: fail(output), seconds: 1 },
  ];
  const lines = formatFailures(steps).split('\n');
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([21, 'FAIL lint', '  line 10', '  line 29']);
});

test('steps continue after a failure and are summed', async () => {
  const lines: string[] = [];
  const steps = [
    { name: 'first', run: () => Promise.resolve(fail('a fault')) },
    { name: 'second', run: () => Promise.reject(new Error('thrown')) },
    { name: 'third', run: () => Promise.resolve(pass('fine')) },
  ];
  expect(await runSteps('.', steps, (line) => lines.push(line))).toEqual({ passed: 1, failed: 2 });
  expect(lines.map((line) => line.slice(0, 11))).toEqual(['FAIL first ', 'FAIL second', 'ok   third ']);
});

test('a step with only skipped tests is not counted as passed, and the sum includes them', async () => {
  const lines: string[] = [];
  const results: StepResult[] = [];
  const steps = [
    { name: 'Firefox', run: () => Promise.resolve({ passed: 0, failed: 0, skipped: 5, summary: 'no Firefox' }) },
    { name: 'others', run: () => Promise.resolve({ passed: 2, failed: 0, skipped: 1, summary: 'fine' }) },
  ];
  await runSteps(
    '.',
    steps,
    (line) => lines.push(line),
    (step) => results.push(step),
  );
  expect(lines.map((line) => line.slice(0, 12))).toEqual(['skip Firefox', 'ok   others ']);
  expect(formatTotals(results)).toBe('6 skipped\n2 passed, 0 failed');
  expect(formatTotals(results.slice(0, 0))).toBe('0 passed, 0 failed');
});

test('steps run in parallel and are reported in order, and an exclusive step runs alone', async () => {
  const lines: string[] = [];
  const runningSteps = new Set<string>();
  const concurrentSteps: Record<string, string[]> = {};
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const createStep = (name: string, endPromise: Promise<void>, onStart: () => void, alone = false) => ({
    name,
    alone,
    async run() {
      runningSteps.add(name);
      concurrentSteps[name] = [...runningSteps];
      onStart();
      await endPromise;
      runningSteps.delete(name);
      return pass('fine');
    },
  });
  const steps = [
    createStep('first', first.promise, () => {}),
    createStep('second', second.promise, second.resolve),
    createStep('third', Promise.resolve(), first.resolve),
    createStep('fourth', Promise.resolve(), () => {}, true),
  ];
  await runSteps('.', steps, (line) => lines.push(line.slice(5).split(' ')[0] ?? ''));
  expect(lines).toEqual(['first', 'second', 'third', 'fourth']);
  expect(concurrentSteps).toEqual({
    first: ['first'],
    second: ['first', 'second'],
    third: ['first', 'third'],
    fourth: ['fourth'],
  });
});
