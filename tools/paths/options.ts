import type { ParseArgsOptionsConfig } from 'node:util';
import { MAX_TEST_STEPS } from '../../machines/paths/plan.ts';
import { criteria, type Criterion } from '../../machines/paths/tour.ts';
import { parseOptionValues, UsageError, parseWholeNumber } from '../process/command-line.ts';

export type Format = 'md' | 'json' | 'html';

/**
 * Random walks instead of tests that cover a criterion: `count` walks of at most `length` steps.
 * The first walk uses `seed`, each further walk the next number.
 */
export type WalkOptions = { seed: number; count: number; length: number };

export type PlanOptions = {
  criterion: Criterion;
  format: Format;
  /** The folder for the plan; null prints it. */
  out: string | null;
  maxLength: number;
  walks: WalkOptions | null;
  /** The state that ends a test. */
  stop: string | null;
};

/** Fuzzing for broken rules, for `seconds` from each start of a machine; `seed` null picks one. */
export type FuzzOptions = { seed: number | null; seconds: number };

/**
 * The parsed command: list the machines as a table or as JSON, write plans, approve behaviour, or
 * fuzz.
 */
export type Options = {
  help: boolean;
  json: boolean;
  approve: boolean;
  machine: string | null;
  plan: PlanOptions | null;
  fuzz: FuzzOptions | null;
};

export const usage = `npm run paths                      lists the machines and the coverage of their tests
npm run paths -- --json            the same, machine-readable
npm run paths -- --approve         writes the behaviour of each machine (--machine: of one) into tests/approved/
npm run paths -- --fuzz            fuzzes all machines (--machine: one) for broken rules; options:
  --seconds S      time for each start of a machine (5)
  --seed N         the same seed generates the same paths
npm run paths -- --machine NAME    prints the test plan of a machine; options:
  --criterion C    coverage of the tests: ${Object.keys(criteria).join(', ')} (transitions)
  --format F       md, json or html (md)
  --out DIR        writes the plan to a file in DIR; required for the plans of all machines
  --length L       maximum number of steps of a test (${MAX_TEST_STEPS})
  --stop STATE     only tests that reach this state, and end there
  --seed N         random walks instead of generated ones; the same seed makes the same walks (1)
  --walks M        number of walks (5); --length is then the length of a walk`;

const MAX_SEED = 2 ** 32 - 1;

const textOption = { type: 'string' } as const;
const flagOption = { type: 'boolean' } as const;
const knownOptions = {
  json: flagOption,
  approve: flagOption,
  fuzz: flagOption,
  seconds: textOption,
  help: flagOption,
  machine: textOption,
  criterion: textOption,
  format: textOption,
  out: textOption,
  length: textOption,
  stop: textOption,
  seed: textOption,
  walks: textOption,
} satisfies ParseArgsOptionsConfig;

const parseWord = <Word extends string>(name: string, words: readonly Word[], value: string): Word => {
  const word = words.find((each) => each === value);
  if (word === undefined) throw new UsageError(`--${name} ${value}: expected one of ${words.join(', ')}`);
  return word;
};

/**
 * Parses the command line.
 * @throws UsageError for an unknown argument, a number out of range, or options that exclude each
 * other
 */
export const parseOptions = (args: string[], machines: readonly string[]): Options => {
  const { json = false, help = false, approve = false, fuzz = false, ...values } = parseOptionValues(args, knownOptions);
  const machine = values.machine === undefined ? null : parseWord('machine', machines, values.machine);
  const { criterion, format, out, length, stop, seed, walks } = values;
  const isWalk = !fuzz && (seed !== undefined || walks !== undefined);
  const isPlan =
    [criterion, format, out, length, stop].some((word) => word !== undefined) ||
    isWalk ||
    (machine !== null && !json && !approve && !fuzz);
  if (approve && (isPlan || json)) throw new UsageError('--approve can be combined with --machine only');
  if (fuzz && (isPlan || json || approve || walks !== undefined)) {
    throw new UsageError('--fuzz can be combined with --machine, --seconds and --seed only');
  }
  if (values.seconds !== undefined && !fuzz) throw new UsageError('--seconds needs --fuzz');
  if (json && isPlan)
    throw new UsageError(
      '--json lists the machines and cannot be combined with options of plans; for a plan as JSON use --format json',
    );
  if (isWalk && criterion !== undefined)
    throw new UsageError('--criterion cannot be combined with --seed or --walks: random walks follow no coverage criterion');
  if (isPlan && machine === null && out === undefined)
    throw new UsageError('--out DIR is required for the plans of all machines');
  if (out === '') throw new UsageError('--out: expected the name of a folder, got an empty text');
  const steps = length === undefined ? null : parseWholeNumber('length', length, 1, 10_000);
  return {
    help,
    json,
    approve,
    machine,
    fuzz: fuzz
      ? {
          seed: seed === undefined ? null : parseWholeNumber('seed', seed, 0, MAX_SEED),
          seconds: parseWholeNumber('seconds', values.seconds ?? '5', 1, 3600),
        }
      : null,
    plan: isPlan
      ? {
          criterion: parseWord('criterion', Object.keys(criteria) as Criterion[], criterion ?? 'transitions'),
          format: parseWord('format', ['md', 'json', 'html'], format ?? 'md'),
          out: out ?? null,
          maxLength: steps ?? MAX_TEST_STEPS,
          walks: isWalk
            ? {
                seed: parseWholeNumber('seed', seed ?? '1', 0, MAX_SEED),
                count: parseWholeNumber('walks', walks ?? '5', 1, 1000),
                length: steps ?? MAX_TEST_STEPS,
              }
            : null,
          stop: stop ?? null,
        }
      : null,
  };
};
