import { optionValues, UsageError, wholeNumber } from '../../tools/process/command-line.ts';
import type { Case } from './errands.ts';
import { planOf, settings, type Kill, type SettingName } from './kill-plan.ts';
import { distribution, lineOf, summary } from './kill-report.ts';
import { repeat } from './kills.ts';

const DEFAULT_COUNT = 135;
/** Seeds that are drawn are below it. */
const SEEDS = 1_000_000;

export const usage = `npm run kills                     kills the shop ${DEFAULT_COUNT} times, during every kind of purchase, and says what ended wrong
npm run kills -- --count 20       as many times
npm run kills -- --kind gift      during those kinds of purchase alone whose name has this in it
npm run kills -- --setting two    two shops on PostgreSQL alone; one: one shop on its embedded database
npm run kills -- --seed 7         the same kills again that were dealt with this seed, count, kind and setting
npm run kills -- --number 57      of these the one of this number alone`;

type Chosen = {
  kind: string;
  cases: readonly Case[];
  setting: SettingName | undefined;
  seed: number;
  count: number;
  number: number | undefined;
};

const text = { type: 'string' } as const;

/** A second gift is a mistake here: the customer has one tab, and gives one. */
const givenOnce = (each: Case): Case => ({ ...each, mayBeTwice: false });

/** @throws UsageError */
function chosenBy(args: string[], all: readonly Case[]): Chosen | null {
  const options = { count: text, seed: text, number: text, kind: text, setting: text, help: { type: 'boolean' } } as const;
  const { count, seed, number, kind = '', setting: wanted, help } = optionValues(args, options);
  if (help === true) return null;
  const setting = settings.find((each) => each === wanted);
  if (wanted !== undefined && setting === undefined)
    throw new UsageError(`--setting ${wanted}: expected ${settings.join(' or ')}`);
  const cases = all.filter(({ name }) => name.includes(kind)).map(givenOnce);
  if (cases.length === 0) throw new UsageError(`--kind ${kind}: no kind of purchase has this in its name`);
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

/** The command that deals the same kills again. */
function repeatingCommand({ seed, count, kind, setting }: Chosen): string {
  const narrowed = [...(kind === '' ? [] : [`--kind "${kind}"`]), ...(setting === undefined ? [] : [`--setting ${setting}`])];
  return ['npm run kills --', `--seed ${seed}`, `--count ${count}`, ...narrowed].join(' ');
}

type Output = {
  /** takes the results */
  print(line: string): void;
  /** takes a line for each kill as it ends */
  progress(line: string): void;
};

/**
 * Runs the command.
 * @returns its exit code: 1 where a kill ended wrong
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
