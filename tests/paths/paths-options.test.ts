import { expect, test } from 'vitest';
import { MAX_TEST_STEPS } from '../../machines/paths/plan.ts';
import { UsageError } from '../../tools/process/command-line.ts';
import { parseOptions } from '../../tools/paths/options.ts';

const machines = ['app', 'purchase'];

test('without a machine name, or with --json, there is no plan', () => {
  expect(parseOptions([], machines)).toEqual({ help: false, json: false, approve: false, machine: null, plan: null, fuzz: null });
  expect(parseOptions(['--json', '--machine', 'app'], machines)).toMatchObject({ json: true, machine: 'app', plan: null });
});

test('the plan of a machine covers transitions and is printed as Markdown by default', () => {
  const plan = { criterion: 'transitions', format: 'md', out: null, maxLength: MAX_TEST_STEPS, walks: null, stop: null };
  expect(parseOptions(['--machine', 'purchase'], machines)).toMatchObject({ machine: 'purchase', plan });
});

test('random walks have a seed, a count and a length, with defaults', () => {
  const parseWalks = (...args: string[]) => parseOptions(['--machine', 'app', ...args], machines).plan?.walks;
  expect(parseWalks('--seed', '7')).toEqual({ seed: 7, count: 5, length: MAX_TEST_STEPS });
  expect(parseWalks('--walks', '9', '--length', '40')).toEqual({ seed: 1, count: 9, length: 40 });
});

test('fuzzing has the given machine, time and seed, or 5 seconds and no seed', () => {
  const parseFuzz = (...args: string[]) => parseOptions(['--fuzz', ...args], machines);
  expect(parseFuzz()).toMatchObject({ machine: null, plan: null, fuzz: { seed: null, seconds: 5 } });
  expect(parseFuzz('--machine', 'app', '--seed', '7', '--seconds', '60')).toMatchObject({
    machine: 'app',
    plan: null,
    fuzz: { seed: 7, seconds: 60 },
  });
});

test.each([
  [['--fuzz', '--walks', '3'], '--fuzz can be combined with'],
  [['--fuzz', '--format', 'md'], '--fuzz can be combined with'],
  [['--seconds', '3'], '--seconds needs --fuzz'],
  [['--fuzz', '--seconds', '0'], '--seconds 0: not a whole number from 1 to 3600'],
  [['--machine', '__proto__'], '--machine __proto__: expected one of app, purchase'],
  [['--machine', 'app', '--criterion', 'all'], '--criterion all: expected one of states, transitions, guards, pairs'],
  [['--machine', 'app', '--format', 'pdf'], '--format pdf: expected one of md, json, html'],
  [['--machine', 'app', '--length', '0'], '--length 0: not a whole number from 1'],
  [['--machine', 'app', '--length', '1e3'], '--length 1e3: not a whole number'],
  [['--machine', 'app', '--seed', 'abc'], '--seed abc: not a whole number'],
  [['--machine', 'app', '--walks', '1001'], '--walks 1001: not a whole number from 1 to 1000'],
  [['--machine', 'app', '--seed', '1', '--criterion', 'pairs'], '--criterion cannot be combined'],
  [['--criterion', 'pairs'], '--out DIR is required'],
  [['--machine', 'app', '--out', ''], '--out: expected the name of a folder'],
  [['--json', '--format', 'md'], '--format json'],
  [['--colour'], "Unknown option '--colour'"],
  [['purchase'], "Unexpected argument 'purchase'"],
])('the arguments %j are refused', (args, expectedMessage) => {
  expect(() => parseOptions(args, machines)).toThrow(UsageError);
  expect(() => parseOptions(args, machines)).toThrow(expectedMessage);
});
