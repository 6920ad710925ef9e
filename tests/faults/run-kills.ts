import { optionValues, UsageError, wholeNumber } from '../../tools/process/command-line.ts';
import type { Case } from './errands.ts';
import { planOf, settings, type Kill, type SettingName } from './kill-plan.ts';
import { distribution, lineOf, summary } from './kill-report.ts';
import { repeat } from './kills.ts';

const DEFAULT_COUNT = 135;
/** Random seeds are below this number. */
const SEEDS = 1_000_000;

export const usage = `npm run kills                     kills the shop ${DEFAULT_COUNT} times, spread over the errands, and lists wrong outcomes
npm run kills -- --count 20       kills it 20 times
npm run kills -- --kind gift      only during errands whose names contain this text
npm run kills -- --setting two    only two shops on PostgreSQL; one: only one shop on its embedded database
npm run kills -- --seed 7         the same kills again as with this seed, count, kind and setting
npm run kills -- --number 57      of these only the kill with this number`;

type KillSelection = {
  kind: string;
  cases: readonly Case[];
  setting: SettingName | undefined;
  seed: number;
  count: number;
  number: number | undefined;
};

const text = { type: 'string' } as const;

/** A second gift is an error here: the customer has one tab and gives once. */
const givenOnce = (each: Case): Case => ({ ...each, mayBeTwice: false });

/** @throws UsageError */
function chosenBy(args: string[], all: readonly Case[]): KillSelection | null {
  const options = { count: text, seed: text, number: text, kind: text, setting: text, help: { type: 'boolean' } } as const;
  const { count, seed, number, kind = '', setting: wanted, help } = optionValues(args, options);
  if (help === true) return null;
  const setting = settings.find((each) => each === wanted);
  if (wanted !== undefined && setting === undefined)
    throw new UsageError(`--setting ${wanted}: expected ${settings.join(' or ')}`);
  const cases = all.filter(({ name }) => name.includes(kind)).map(givenOnce);
  if (cases.length === 0) throw new UsageError(`--kind ${kind}: no errand has this text in its name`);
  return {
    kind,
    cases,
    setting,
    seed: seed === undefined ? Math.floor(Math.random() * SEEDS) : wholeNumber('seed', seed, 0),
    count: count === undefined ? DEFAULT_COUNT : wholeNumber('count', count, 1),
    number: number === undefined ? undefined : wholeNumber('number', number, 1),
  };
}

const minutes = (milliseconds: number): string =>
  `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;

/** The command that reproduces the same plan of kills. */
function repeatingCommand({ seed, count, kind, setting }: KillSelection): string {
  const narrowed = [...(kind === '' ? [] : [`--kind "${kind}"`]), ...(setting === undefined ? [] : [`--setting ${setting}`])];
  return ['npm run kills --', `--seed ${seed}`, `--count ${count}`, ...narrowed].join(' ');
}

type Output = {
  /** prints a result line */
  print(line: string): void;
  /** prints a line for each kill when it ends */
  progress(line: string): void;
};

/**
 * Runs the command.
 * @returns its exit code: 1 where an outcome is wrong
 * @throws UsageError
 */
export async function runKills(args: string[], all: readonly Case[], { print, progress }: Output): Promise<number> {
  const chosen = chosenBy(args, all);
  if (chosen === null) {
    print(usage);
    return 0;
  }
  const { seed, number, count } = chosen;
  const plan = planOf({ ...chosen, count: Math.max(count, number ?? 0) });
  const kills: Kill[] = number === undefined ? plan : plan.filter((kill) => kill.number === number);
  print(`seed ${seed}\n\n${distribution(kills)}\n`);
  const begun = performance.now();
  const result = await repeat(kills, (killed) => progress(lineOf(killed)));
  for (const line of summary(result, repeatingCommand(chosen))) print(line);
  print(`took ${minutes(performance.now() - begun)}`);
  return result.killed.some(({ wrong }) => wrong !== null) || result.leftovers.length > 0 ? 1 : 0;
}
