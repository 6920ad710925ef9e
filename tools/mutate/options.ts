import type { ParseArgsOptionsConfig } from 'node:util';
import { optionValues, UsageError, wholeNumber } from '../process/command-line.ts';

export type Options = {
  help: boolean;
  json: boolean;
  /** The only machine that is changed; null changes all. */
  machine: string | null;
  /** So many changes, drawn by `seed`; null makes all. */
  sample: number | null;
  seed: number;
  /** Leaves out the tests in the machines' own folders, each of which starts a test runner. */
  quick: boolean;
  /** The rules and the models’ tests judge alone, without approved texts and recorded visits. */
  rules: boolean;
  /** Replays the recorded visits of each change, and says which of those that they cross they do not notice. */
  replays: boolean;
  /** Prints every change with what noticed it. */
  all: boolean;
  /** Milliseconds. */
  timeOut: number;
};

export const usage = `npm run mutate                      changes all machines, one change at a time, and says which change no test notices
npm run mutate -- --machine NAME    changes one machine; further:
  --sample N      so many changes, drawn at random
  --seed S        the same seed draws the same ones (1)
  --quick         what was approved and the recorded visits alone; leaves out the machines' own tests
  --rules         the rules and the tests of all models alone, without approved texts and recorded visits
  --replays       says which changes the recorded visits cross, and which of these the replays do not notice
  --all           prints every change, and what noticed it
  --timeout T     seconds after which a changed machine is ended, and counts as noticed (30)
  --json          for other programs`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const known = {
  help: flag,
  json: flag,
  quick: flag,
  rules: flag,
  replays: flag,
  all: flag,
  machine: text,
  sample: text,
  seed: text,
  timeout: text,
} satisfies ParseArgsOptionsConfig;

/** @throws UsageError for an unknown word or machine, or a number out of bounds. */
export const optionsIn = (args: string[], machines: readonly string[]): Options => {
  const {
    help = false,
    json = false,
    quick = false,
    rules = false,
    replays = false,
    all = false,
    ...given
  } = optionValues(args, known);
  const { machine = null, sample, seed = '1', timeout = '30' } = given;
  if (rules && replays)
    throw new UsageError('--rules leaves out the recorded visits, and --replays asks for them: give one of them');
  if (machine !== null && !machines.includes(machine)) {
    throw new UsageError(`--machine ${machine}: not one of ${machines.join(', ')}`);
  }
  return {
    help,
    json,
    quick: quick || rules,
    rules,
    replays,
    all,
    machine,
    sample: sample === undefined ? null : wholeNumber('sample', sample, 1),
    seed: wholeNumber('seed', seed, 0),
    timeOut: wholeNumber('timeout', timeout, 1) * 1000,
  };
};
