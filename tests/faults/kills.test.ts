import { expect, test } from 'vitest';
import { UsageError } from '../../tools/process/command-line.ts';
import { cases, type ErrandCase } from './errands.ts';
import { killMoments, createKillPlan, type Kill } from './kill-plan.ts';
import { runKills } from './run-kills.ts';

/** Milliseconds: each killed shop takes seconds to restart. */
const TIMEOUT_MS = 300_000;

/** Runs the command. @returns its exit code and output lines */
async function runCommand(
  args: string,
  errandCases: readonly ErrandCase[] = cases,
): Promise<{ code: number; resultLines: string[]; progressLines: string[] }> {
  const [resultLines, progressLines]: [string[], string[]] = [[], []];
  const output = { print: (line: string) => resultLines.push(line), progress: (line: string) => progressLines.push(line) };
  const code = await runKills(args.split(' '), errandCases, output);
  return { code, resultLines, progressLines };
}

const formatCombination = ({ setting, target, moment }: Kill): string => `${setting} ${target} ${moment}`;
const countByName = (names: readonly string[]): number[] =>
  [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length);
const getRange = (counts: readonly number[]): [min: number, max: number] => [Math.min(...counts), Math.max(...counts)];

test('135 planned kills are spread evenly over errands, settings, moments and targets, and the seed reproduces them', () => {
  const plan = createKillPlan({ cases, seed: 7, count: 135 });
  expect(plan.map(({ number }) => number)).toEqual(Array.from({ length: 135 }, (_, index) => index + 1));
  expect(getRange(countByName(plan.map(({ errandCase }) => errandCase.name)))).toEqual([8, 9]);
  const countsByCombination = countByName(plan.map(formatCombination));
  expect(countsByCombination).toHaveLength(3 * killMoments.length);
  expect(getRange(countsByCombination)).toEqual([15, 15]);
  // No errand gets the same combination twice.
  expect(new Set(plan.map((kill) => `${kill.errandCase.name} ${formatCombination(kill)}`)).size).toBe(135);
  expect(createKillPlan({ cases, seed: 7, count: 135 })).toEqual(plan);
  expect(createKillPlan({ cases, seed: 8, count: 135 })).not.toEqual(plan);
  expect(new Set(createKillPlan({ cases, setting: 'one', seed: 7, count: 20 }).map(({ target }) => target))).toEqual(
    new Set(['process']),
  );
});

test('six kills, in one shop and in two, leave every purchase correct', { timeout: TIMEOUT_MS }, async () => {
  const args = '--seed 5 --count 6';
  const targets = createKillPlan({ cases, seed: 5, count: 6 }).map(({ setting, target }) => `${setting} ${target}`);
  expect(new Set(targets)).toEqual(new Set(['one process', 'two process', 'two connections']));
  const { code, resultLines, progressLines } = await runCommand(args);
  expect([code, resultLines.at(-2)]).toEqual([0, '6 kills, 0 ended wrong']);
  expect(progressLines).toHaveLength(6);
});

test(
  'a kill with a wrong charge is reported with the seed that repeats it, and the exit code is 1',
  { timeout: TIMEOUT_MS },
  async () => {
    const [free] = cases.filter(({ name }) => name === 'a free title');
    if (free === undefined) throw new Error('No errand is named “a free title”.');
    let preparationCount = 0;
    const caseWithExtraCharge: ErrandCase = {
      ...free,
      // The first run is the one without a kill.
      prepare: async (customer) => {
        preparationCount += 1;
        if (preparationCount > 1) await customer.buy('1005');
      },
    };
    const { code, resultLines } = await runCommand('--seed 3 --count 1 --setting one', [caseWithExtraCharge]);
    expect(code).toBe(1);
    expect(resultLines.slice(-3)).toEqual([
      expect.stringMatching(
        /^1: a free title; one shop, process killed .+: ✗ charged 1 times, expected 0 \(repeat: npm run kills -- --seed 3 --count 1 --setting one --number 1\)$/,
      ),
      '1 kills, 1 ended wrong',
      expect.stringMatching(/^took \d+ min \d+ s$/),
    ]);
  },
);

test('options without a matching kill are refused, and --help runs no kill', async () => {
  await expect(runCommand('--kind nonsense')).rejects.toThrow(
    new UsageError('--kind nonsense: no errand has this text in its name'),
  );
  await expect(runCommand('--setting three')).rejects.toThrow(new UsageError('--setting three: expected one or two'));
  await expect(runCommand('--count 0')).rejects.toThrow(new UsageError('--count 0: not a whole number from 1'));
  expect(await runCommand('--help')).toMatchObject({
    code: 0,
    progressLines: [],
    resultLines: [expect.stringContaining('npm run kills -- --seed 7')],
  });
});
