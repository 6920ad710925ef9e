import type { ParseArgsOptionsConfig } from 'node:util';
import { parseOptionValues, UsageError, parseWholeNumber } from '../process/command-line.ts';

export type Options = {
  help: boolean;
  json: boolean;
  /** The machine to mutate; null for all. */
  machine: string | null;
  /** The number of mutants, drawn by `seed`; null for all. */
  sample: number | null;
  seed: number;
  /** Skips the tests in the machines' own folders, each of which starts a test runner. */
  quick: boolean;
  /** Judges only by the rules and the models’ tests, without approved texts and recorded visits. */
  rules: boolean;
  /**
   * Replays the recorded visits for each mutant, and lists the covered mutants that they do not
   * detect.
   */
  replays: boolean;
  /** Prints every mutant with the test that detected it. */
  all: boolean;
  /** Milliseconds. */
  timeOut: number;
};

export const usage = `npm run mutate                      mutates all machines, and lists the mutants that no test detects
npm run mutate -- --machine NAME    mutates one machine; options:
  --sample N      number of mutants, drawn at random
  --seed S        the same seed draws the same mutants (1)
  --quick         only approved texts and recorded visits, without the machines' own tests
  --rules         only the rules and the tests of all models, without approved texts and recorded visits
  --replays       lists mutants that the recorded visits cover, and those that the replays do not detect
  --all           prints every mutant, and the test that detected it
  --timeout T     seconds after which a mutant is ended, and counts as detected (30)
  --json          machine-readable output`;

const textOption = { type: 'string' } as const;
const flagOption = { type: 'boolean' } as const;
const knownOptions = {
  help: flagOption,
  json: flagOption,
  quick: flagOption,
  rules: flagOption,
  replays: flagOption,
  all: flagOption,
  machine: textOption,
  sample: textOption,
  seed: textOption,
  timeout: textOption,
} satisfies ParseArgsOptionsConfig;

/**
 * Parses the command line.
 * @throws UsageError for an unknown argument or machine, or a number out of range
 */
export const parseOptions = (args: string[], machines: readonly string[]): Options => {
  const {
    help = false,
    json = false,
    quick = false,
    rules = false,
    replays = false,
    all = false,
    ...values
  } = parseOptionValues(args, knownOptions);
  const { machine = null, sample, seed = '1', timeout = '30' } = values;
  if (rules && replays) throw new UsageError('--rules and --replays exclude each other: --rules omits the recorded visits');
  if (machine !== null && !machines.includes(machine)) {
    throw new UsageError(`--machine ${machine}: expected one of ${machines.join(', ')}`);
  }
  return {
    help,
    json,
    quick: quick || rules,
    rules,
    replays,
    all,
    machine,
    sample: sample === undefined ? null : parseWholeNumber('sample', sample, 1),
    seed: parseWholeNumber('seed', seed, 0),
    timeOut: parseWholeNumber('timeout', timeout, 1) * 1000,
  };
};
