import { assign } from 'xstate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TransitionResult } from '../../machines/paths/purity-twice.ts';
import { checkPurity } from '../../machines/paths/purity.ts';
import { runTransitionsElsewhere } from '../support/elsewhere/run.ts';
import { makeFinding, findImpurities, makeGoConfig } from './impure-machine.ts';
import { models } from './planted-machines.ts';

const differsOnRepeat = 'differs when it is repeated';
const differsElsewhere = 'differs at another time and in another locale';

/** The place and the fault that must be found in each planted machine. */
const expectedFindings: Readonly<Record<string, [string, string]>> = {
  'a variable of the file': ['planted.idle go', differsOnRepeat],
  'a collection of the file': ['planted.idle go', differsOnRepeat],
  'a list of the file': ['planted.idle go', differsOnRepeat],
  'a memo of the file': ['planted.idle go', differsOnRepeat],
  'the clock under another name': ['action keep', 'touches Date.now'],
  'a moment of the clock under another name': ['planted.idle go', differsElsewhere],
  'the clock by its name in brackets, taken when the file is loaded': ['planted.idle go', differsElsewhere],
  'a part of local time, taken when the file is loaded': ['planted.idle go', differsElsewhere],
  'chance, taken when the file is loaded': ['planted.idle go', differsOnRepeat],
  'state in an enclosing function': ['planted.idle go', differsOnRepeat],
};

describe('state kept by a file, and globals read by it, are found', () => {
  let transitionsElsewhere: TransitionResult[][] = [];
  beforeAll(async () => {
    transitionsElsewhere = await runTransitionsElsewhere(new URL('planted-machines.ts', import.meta.url).href);
  });

  test.each(models.map((model, index) => [model.name, model, index] as const))(
    'an impurity is found: %s',
    (name, model, index) => {
      const findings = checkPurity(model.machine, { ...model, elsewhere: transitionsElsewhere[index] ?? [] });
      const [place = '', fault = ''] = expectedFindings[name] ?? [];
      expect(findings).toContainEqual(makeFinding(place, fault));
    },
  );
});

const sampleDate = '2026-12-31T20:00:00Z';
const sampleNumber = 1234.5;

const globalReads: [string, () => unknown][] = [
  ['getHours', () => new Date(sampleDate).getHours()],
  ['getDate', () => new Date(sampleDate).getDate()],
  ['getTimezoneOffset', () => new Date(sampleDate).getTimezoneOffset()],
  ['toString', () => new Date(sampleDate).toString()],
  ['setHours', () => new Date(sampleDate).setHours(0)],
  ['toLocaleString', () => sampleNumber.toLocaleString()],
  ['toLocaleDateString', () => new Date(sampleDate).toLocaleDateString('en')],
  ['localeCompare', () => 'ä'.localeCompare('z')],
  ['toLocaleUpperCase', () => 'title'.toLocaleUpperCase()],
  ['Intl.NumberFormat', () => new Intl.NumberFormat().format(sampleNumber)],
  ['Intl.DateTimeFormat', () => new Intl.DateTimeFormat('en').format(new Date(sampleDate))],
  ['Intl.Collator', () => ['ä', 'z'].sort(Intl.Collator().compare).join('')],
  ['new Date() of a local time', () => new Date(2026, 0, 1).toISOString()],
  ['new Date() of a local time', () => new Date('2026-01-01T10:00').toISOString()],
  ['Date.parse of a local time', () => Date.parse('1 January 2026')],
  [
    'console',
    () => {
      console.log('went');
      return null;
    },
  ],
  ['Date.now', () => Date['now']()],
  [
    'Date.now',
    () => {
      const { Date: Clock } = globalThis;
      return Clock.now();
    },
  ],
];

test.each(globalReads)('%s is found in an action', (name, readGlobal) => {
  const actions = { keep: assign({ it: () => readGlobal() as string }) };
  expect(findImpurities({ actions, config: makeGoConfig({ actions: 'keep' }) })).toEqual([
    makeFinding('action keep', `touches ${name}`),
  ]);
});

test('a named time zone and a named language may be used', () => {
  const format = { timeZone: 'UTC' } as const;
  const it = () =>
    [
      new Date(sampleDate).toLocaleDateString('en', format),
      new Intl.DateTimeFormat('fr', format).format(new Date(sampleDate)),
      sampleNumber.toLocaleString('de'),
      'ä'.localeCompare('z', 'sv'),
      new Date(sampleDate).getUTCHours(),
      new Date(sampleDate).toISOString(),
      Date.parse('2026-01-01'),
      Date.parse('2026-01-01T10:00+02:00'),
    ].join(' ');
  expect(findImpurities({ actions: { keep: assign({ it }) }, config: makeGoConfig({ actions: 'keep' }) })).toEqual([]);
});

test('a counter in the context is allowed', () => {
  const count = assign({ it: ({ context }: { context: { it: number } }) => (context.it + 1) % 9 });
  expect(findImpurities({ actions: { count }, config: { context: { it: 0 }, on: { go: { actions: 'count' } } } })).toEqual([]);
});
