import { parseOptionValues, UsageError, parseWholeNumber } from '../../tools/process/command-line.ts';
import type { ErrandCase } from './errands.ts';
import { createKillPlan, shopSettings, type Kill, type ShopSetting } from './kill-plan.ts';
import { formatDistribution, formatKill, formatSummary } from './kill-report.ts';
import { runKillPlan } from './kills.ts';

const DEFAULT_COUNT = 135;
/** Random seeds are below this number. */
const SEED_COUNT = 1_000_000;

export const usage = `npm run kills                     kills the shop ${DEFAULT_COUNT} times, spread over the errands, and lists wrong outcomes
npm run kills -- --count 20       kills it 20 times
npm run kills -- --kind gift      only during errands whose names contain this text
npm run kills -- --setting two    only two shops on PostgreSQL; one: only one shop on its embedded database
npm run kills -- --seed 7         the same kills again as with this seed, count, kind and setting
npm run kills -- --number 57      of these only the kill with this number`;

type KillSelection = {
  kind: string;
  cases: readonly ErrandCase[];
  setting: ShopSetting | undefined;
  seed: number;
  count: number;
  number: number | undefined;
};

const textOption = { type: 'string' } as const;

/** A second gift is an error here: the customer has one tab and gives once. */
const requireOnce = (each: ErrandCase): ErrandCase => ({ ...each, mayRepeat: false });

/** @throws UsageError */
function parseSelection(args: string[], allCases: readonly ErrandCase[]): KillSelection | null {
  const options = {
    count: textOption,
    seed: textOption,
    number: textOption,
    kind: textOption,
    setting: textOption,
    help: { type: 'boolean' },
  } as const;
  const { count, seed, number, kind = '', setting: settingText, help } = parseOptionValues(args, options);
  if (help === true) return null;
  const setting = shopSettings.find((each) => each === settingText);
  if (settingText !== undefined && setting === undefined)
    throw new UsageError(`--setting ${settingText}: expected ${shopSettings.join(' or ')}`);
  const cases = allCases.filter(({ name }) => name.includes(kind)).map(requireOnce);
  if (cases.length === 0) throw new UsageError(`--kind ${kind}: no errand has this text in its name`);
  return {
    kind,
    cases,
    setting,
    seed: seed === undefined ? Math.floor(Math.random() * SEED_COUNT) : parseWholeNumber('seed', seed, 0),
    count: count === undefined ? DEFAULT_COUNT : parseWholeNumber('count', count, 1),
    number: number === undefined ? undefined : parseWholeNumber('number', number, 1),
  };
}

const formatMinutes = (milliseconds: number): string =>
  `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;

/** The command that reproduces the same plan of kills. */
function formatRepeatCommand({ seed, count, kind, setting }: KillSelection): string {
  const filterOptions = [
    ...(kind === '' ? [] : [`--kind "${kind}"`]),
    ...(setting === undefined ? [] : [`--setting ${setting}`]),
  ];
  return ['npm run kills --', `--seed ${seed}`, `--count ${count}`, ...filterOptions].join(' ');
}

type Output = {
  /** prints a result line */
  print(line: string): void;
  /** prints a line for each kill when it ends */
  progress(line: string): void;
};

/**
 * Runs the command.
 * @returns its exit code: 1 if an outcome is wrong
 * @throws UsageError
 */
export async function runKills(args: string[], allCases: readonly ErrandCase[], { print, progress }: Output): Promise<number> {
  const selection = parseSelection(args, allCases);
  if (selection === null) {
    print(usage);
    return 0;
  }
  const { seed, number, count } = selection;
  const plan = createKillPlan({ ...selection, count: Math.max(count, number ?? 0) });
  const kills: Kill[] = number === undefined ? plan : plan.filter((kill) => kill.number === number);
  print(`seed ${seed}\n\n${formatDistribution(kills)}\n`);
  const startMs = performance.now();
  const result = await runKillPlan(kills, (killResult) => progress(formatKill(killResult)));
  for (const line of formatSummary(result, formatRepeatCommand(selection))) print(line);
  print(`took ${formatMinutes(performance.now() - startMs)}`);
  return result.kills.some(({ wrong }) => wrong !== null) || result.leftovers.length > 0 ? 1 : 0;
}
