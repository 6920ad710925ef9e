import type { ParseArgsOptionsConfig } from 'node:util';
import { longestTest } from '../../machines/paths/plan.ts';
import { criteria, type Criterion } from '../../machines/paths/tour.ts';
import { optionValues, UsageError, wholeNumber } from '../process/command-line.ts';

export type Format = 'md' | 'json' | 'html';

/** Random walks instead of tours: `count` of them, each of `length` steps at most; the first has the seed, the next the next. */
export type Walks = { seed: number; count: number; length: number };

export type PlanOptions = {
  criterion: Criterion;
  format: Format;
  /** The folder that the plan is written to; null prints it. */
  out: string | null;
  maxLength: number;
  walks: Walks | null;
  /** The state that ends a test. */
  stop: string | null;
};

/** Random ways that look for a broken rule, for so many seconds from each start of a machine; `seed` is null for one of its own. */
export type HuntOptions = { seed: number | null; seconds: number };

/** What is asked for: the list of machines, as a table or as JSON, plans, to approve what machines do, or to hunt. */
export type Options = {
  help: boolean;
  json: boolean;
  approve: boolean;
  machine: string | null;
  plan: PlanOptions | null;
  hunt: HuntOptions | null;
};

export const usage = `npm run paths                      lists the machines and how far their tests go
npm run paths -- --json            the same for other programs
npm run paths -- --approve         writes what each machine does into tests/approved/, or with --machine what that one does
npm run paths -- --hunt            looks for broken rules on random ways through all machines, or with --machine that one; further:
  --seconds S      for how long, from each start of a machine (5)
  --seed N         the same seed walks the same ways
npm run paths -- --machine NAME    prints the plan of a machine; further:
  --criterion C    what the tests meet: ${Object.keys(criteria).join(', ')} (transitions)
  --format F       md, json or html (md)
  --out DIR        writes the plan to a file in DIR; needed for the plans of all machines
  --length L       steps of a test at most (${longestTest})
  --stop STATE     only tests that go to that state, where each ends
  --seed N         random walks instead of tours; the same seed walks the same ways (1)
  --walks M        how many walks (5); --length is then the length of a walk`;

const longestSeed = 2 ** 32 - 1;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const known = {
  json: flag,
  approve: flag,
  hunt: flag,
  seconds: text,
  help: flag,
  machine: text,
  criterion: text,
  format: text,
  out: text,
  length: text,
  stop: text,
  seed: text,
  walks: text,
} satisfies ParseArgsOptionsConfig;

const oneOf = <Word extends string>(name: string, words: readonly Word[], given: string): Word => {
  const word = words.find((each) => each === given);
  if (word === undefined) throw new UsageError(`--${name} ${given}: not one of ${words.join(', ')}`);
  return word;
};

/** @throws UsageError for an unknown word, a number out of bounds, or words that contradict one another. */
export const optionsIn = (args: string[], machines: readonly string[]): Options => {
  const { json = false, help = false, approve = false, hunt = false, ...given } = optionValues(args, known);
  const machine = given.machine === undefined ? null : oneOf('machine', machines, given.machine);
  const { criterion, format, out, length, stop, seed, walks } = given;
  const isWalk = !hunt && (seed !== undefined || walks !== undefined);
  const isPlan =
    [criterion, format, out, length, stop].some((word) => word !== undefined) ||
    isWalk ||
    (machine !== null && !json && !approve && !hunt);
  if (approve && (isPlan || json)) throw new UsageError('--approve writes what machines do; nothing but --machine goes with it');
  if (hunt && (isPlan || json || approve || walks !== undefined)) {
    throw new UsageError('--hunt looks for broken rules; nothing but --machine, --seconds and --seed goes with it');
  }
  if (given.seconds !== undefined && !hunt) throw new UsageError('--seconds says how long a --hunt takes');
  if (json && isPlan) throw new UsageError('--json lists the machines; a plan as JSON is --format json');
  if (isWalk && criterion !== undefined)
    throw new UsageError('--criterion plans tours, --seed and --walks random walks: take one');
  if (isPlan && machine === null && out === undefined) throw new UsageError('the plans of all machines need a folder: --out DIR');
  if (out === '') throw new UsageError('--out: the name of a folder is missing');
  const steps = length === undefined ? null : wholeNumber('length', length, 1, 10_000);
  return {
    help,
    json,
    approve,
    machine,
    hunt: hunt
      ? {
          seed: seed === undefined ? null : wholeNumber('seed', seed, 0, longestSeed),
          seconds: wholeNumber('seconds', given.seconds ?? '5', 1, 3600),
        }
      : null,
    plan: isPlan
      ? {
          criterion: oneOf('criterion', Object.keys(criteria) as Criterion[], criterion ?? 'transitions'),
          format: oneOf('format', ['md', 'json', 'html'], format ?? 'md'),
          out: out ?? null,
          maxLength: steps ?? longestTest,
          walks: isWalk
            ? {
                seed: wholeNumber('seed', seed ?? '1', 0, longestSeed),
                count: wholeNumber('walks', walks ?? '5', 1, 1000),
                length: steps ?? longestTest,
              }
            : null,
          stop: stop ?? null,
        }
      : null,
  };
};
