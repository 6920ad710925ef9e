import { expect, test } from 'vitest';
import { UsageError } from '../../tools/process/command-line.ts';
import { cases, type Case } from './errands.ts';
import { moments, planOf, type Kill } from './kill-plan.ts';
import { runKills } from './run-kills.ts';

/** Milliseconds; each shop that is killed takes seconds to be there again. */
const LONGEST = 300_000;

/** Runs the command. @returns its exit code, and its lines */
async function kills(
  args: string,
  all: readonly Case[] = cases,
): Promise<{ code: number; printed: string[]; progress: string[] }> {
  const [printed, progress]: [string[], string[]] = [[], []];
  const output = { print: (line: string) => printed.push(line), progress: (line: string) => progress.push(line) };
  const code = await runKills(args.split(' '), all, output);
  return { code, printed, progress };
}

const wayOf = ({ setting, target, moment }: Kill): string => `${setting} ${target} ${moment}`;
const countsOf = (names: readonly string[]): number[] =>
  [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length);
const spreadOf = (counts: readonly number[]): [least: number, most: number] => [Math.min(...counts), Math.max(...counts)];

test('135 kills are dealt evenly over kinds of purchase, settings, moments and what dies, and the seed repeats them', () => {
  const plan = planOf({ cases, seed: 7, count: 135 });
  expect(plan.map(({ number }) => number)).toEqual(Array.from({ length: 135 }, (_, at) => at + 1));
  expect(spreadOf(countsOf(plan.map(({ each }) => each.name)))).toEqual([8, 9]);
  const perWay = countsOf(plan.map(wayOf));
  expect(perWay).toHaveLength(3 * moments.length);
  expect(spreadOf(perWay)).toEqual([15, 15]);
  // No kind meets a way twice.
  expect(new Set(plan.map((kill) => `${kill.each.name} ${wayOf(kill)}`)).size).toBe(135);
  expect(planOf({ cases, seed: 7, count: 135 })).toEqual(plan);
  expect(planOf({ cases, seed: 8, count: 135 })).not.toEqual(plan);
  expect(new Set(planOf({ cases, setting: 'one', seed: 7, count: 20 }).map(({ target }) => target))).toEqual(
    new Set(['process']),
  );
});

test('a few kills in one shop and in two end right', { timeout: LONGEST }, async () => {
  const args = '--seed 5 --count 6';
  const ends = planOf({ cases, seed: 5, count: 6 }).map(({ setting, target }) => `${setting} ${target}`);
  expect(new Set(ends)).toEqual(new Set(['one process', 'two process', 'two connections']));
  const { code, printed, progress } = await kills(args);
  expect([code, printed.at(-2)]).toEqual([0, '6 kills, 0 ended wrong']);
  expect(progress).toHaveLength(6);
});

test(
  'a kill after which the customer was charged for more than they got is named with its seed, and the exit code is 1',
  { timeout: LONGEST },
  async () => {
    const [free] = cases.filter(({ name }) => name === 'a free title');
    if (free === undefined) throw new Error('no errand is for a free title');
    let visits = 0;
    const chargedBesides: Case = {
      ...free,
      // The first visit is the one without a kill.
      prepare: async (customer) => {
        visits += 1;
        if (visits > 1) await customer.buys('1005');
      },
    };
    const { code, printed } = await kills('--seed 3 --count 1 --setting one', [chargedBesides]);
    expect(code).toBe(1);
    expect(printed.slice(-3)).toEqual([
      expect.stringMatching(
        /^1: a free title; one shop, process killed .+: ✗ charged 1 times for 1 \(repeat: npm run kills -- --seed 3 --count 1 --setting one --number 1\)$/,
      ),
      '1 kills, 1 ended wrong',
      expect.stringMatching(/^took \d+ min \d+ s$/),
    ]);
  },
);

test('options that name no kill are refused, and help tries none', async () => {
  await expect(kills('--kind nonsense')).rejects.toThrow(
    new UsageError('--kind nonsense: no kind of purchase has this in its name'),
  );
  await expect(kills('--setting three')).rejects.toThrow(new UsageError('--setting three: expected one or two'));
  await expect(kills('--count 0')).rejects.toThrow(new UsageError('--count 0: not a whole number from 1'));
  expect(await kills('--help')).toMatchObject({
    code: 0,
    progress: [],
    printed: [expect.stringContaining('npm run kills -- --seed 7')],
  });
});
