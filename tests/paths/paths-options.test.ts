import { expect, test } from 'vitest';
import { longestTest } from '../../machines/paths/plan.ts';
import { UsageError } from '../../tools/process/command-line.ts';
import { optionsIn } from '../../tools/paths/options.ts';

const machines = ['app', 'purchase'];

test('without arguments the machines are listed', () => {
  expect(optionsIn([], machines)).toEqual({ help: false, json: false, approve: false, machine: null, plan: null, hunt: null });
  expect(optionsIn(['--json', '--machine', 'app'], machines)).toMatchObject({ json: true, machine: 'app', plan: null });
});

test('a machine alone asks for its plan, printed', () => {
  const plan = { criterion: 'transitions', format: 'md', out: null, maxLength: longestTest, walks: null, stop: null };
  expect(optionsIn(['--machine', 'purchase'], machines)).toMatchObject({ machine: 'purchase', plan });
});

test('walks have a seed, a number and a length', () => {
  const walks = (...args: string[]) => optionsIn(['--machine', 'app', ...args], machines).plan?.walks;
  expect(walks('--seed', '7')).toEqual({ seed: 7, count: 5, length: longestTest });
  expect(walks('--walks', '9', '--length', '40')).toEqual({ seed: 1, count: 9, length: 40 });
});

test('a hunt has a machine, a time and a seed, or finds a seed of its own', () => {
  const hunt = (...args: string[]) => optionsIn(['--hunt', ...args], machines);
  expect(hunt()).toMatchObject({ machine: null, plan: null, hunt: { seed: null, seconds: 5 } });
  expect(hunt('--machine', 'app', '--seed', '7', '--seconds', '60')).toMatchObject({
    machine: 'app',
    plan: null,
    hunt: { seed: 7, seconds: 60 },
  });
});

test.each([
  [['--hunt', '--walks', '3'], '--hunt looks for broken rules'],
  [['--hunt', '--format', 'md'], '--hunt looks for broken rules'],
  [['--seconds', '3'], '--seconds says how long a --hunt takes'],
  [['--hunt', '--seconds', '0'], '--seconds 0: not a whole number from 1 to 3600'],
  [['--machine', '__proto__'], '--machine __proto__: not one of app, purchase'],
  [['--machine', 'app', '--criterion', 'all'], '--criterion all: not one of states, transitions, guards, pairs'],
  [['--machine', 'app', '--format', 'pdf'], '--format pdf: not one of md, json, html'],
  [['--machine', 'app', '--length', '0'], '--length 0: not a whole number from 1'],
  [['--machine', 'app', '--length', '1e3'], '--length 1e3: not a whole number'],
  [['--machine', 'app', '--seed', 'abc'], '--seed abc: not a whole number'],
  [['--machine', 'app', '--walks', '1001'], '--walks 1001: not a whole number from 1 to 1000'],
  [['--machine', 'app', '--seed', '1', '--criterion', 'pairs'], 'take one'],
  [['--criterion', 'pairs'], 'need a folder: --out DIR'],
  [['--machine', 'app', '--out', ''], '--out: the name of a folder is missing'],
  [['--json', '--format', 'md'], '--format json'],
  [['--colour'], "Unknown option '--colour'"],
  [['purchase'], "Unexpected argument 'purchase'"],
])('%j cannot be followed', (args, reason) => {
  expect(() => optionsIn(args, machines)).toThrow(UsageError);
  expect(() => optionsIn(args, machines)).toThrow(reason);
});
