import { assign } from 'xstate';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Taken } from '../../machines/paths/purity-twice.ts';
import { purityOf } from '../../machines/paths/purity.ts';
import { takenElsewhere } from '../support/elsewhere/run.ts';
import { fault, findingsIn, onGo } from './impure-machine.ts';
import { models } from './planted-machines.ts';

const again = 'comes out otherwise when it is done again';
const elsewhere = 'comes out otherwise at another time and place';

/** What is found of each of the planted machines, and where. */
const found: Readonly<Record<string, [string, string]>> = {
  'a variable of the file': ['planted.idle go', again],
  'a collection of the file': ['planted.idle go', again],
  'a list of the file': ['planted.idle go', again],
  'a memo of the file': ['planted.idle go', again],
  'the clock under another name': ['action keep', 'touches Date.now'],
  'a moment of the clock under another name': ['planted.idle go', elsewhere],
  'the clock by its name in brackets, taken when the file is loaded': ['planted.idle go', elsewhere],
  'a part of local time, taken when the file is loaded': ['planted.idle go', elsewhere],
  'chance, taken when the file is loaded': ['planted.idle go', again],
  'what a function around keeps': ['planted.idle go', again],
};

describe('what a file keeps or takes of the world is found', () => {
  let there: Taken[][] = [];
  beforeAll(async () => {
    there = await takenElsewhere(new URL('planted-machines.ts', import.meta.url).href);
  });

  test.each(models.map((model, at) => [model.name, model, at] as const))('%s', (name, model, at) => {
    const findings = purityOf(model.machine, { ...model, elsewhere: there[at] ?? [] });
    const [place = '', what = ''] = found[name] ?? [];
    expect(findings).toContainEqual(fault(place, what));
  });
});

const given = '2026-12-31T20:00:00Z';
const amount = 1234.5;

const local: [string, () => unknown][] = [
  ['getHours', () => new Date(given).getHours()],
  ['getDate', () => new Date(given).getDate()],
  ['getTimezoneOffset', () => new Date(given).getTimezoneOffset()],
  ['toString', () => new Date(given).toString()],
  ['setHours', () => new Date(given).setHours(0)],
  ['toLocaleString', () => amount.toLocaleString()],
  ['toLocaleDateString', () => new Date(given).toLocaleDateString('en')],
  ['localeCompare', () => 'ä'.localeCompare('z')],
  ['toLocaleUpperCase', () => 'title'.toLocaleUpperCase()],
  ['Intl.NumberFormat', () => new Intl.NumberFormat().format(amount)],
  ['Intl.DateTimeFormat', () => new Intl.DateTimeFormat('en').format(new Date(given))],
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

test.each(local)('%s is found in an action', (name, touch) => {
  const actions = { keep: assign({ it: () => touch() as string }) };
  expect(findingsIn({ actions, config: onGo({ actions: 'keep' }) })).toEqual([fault('action keep', `touches ${name}`)]);
});

test('a time zone and a language that are named may be used', () => {
  const format = { timeZone: 'UTC' } as const;
  const it = () =>
    [
      new Date(given).toLocaleDateString('en', format),
      new Intl.DateTimeFormat('fr', format).format(new Date(given)),
      amount.toLocaleString('de'),
      'ä'.localeCompare('z', 'sv'),
      new Date(given).getUTCHours(),
      new Date(given).toISOString(),
      Date.parse('2026-01-01'),
      Date.parse('2026-01-01T10:00+02:00'),
    ].join(' ');
  expect(findingsIn({ actions: { keep: assign({ it }) }, config: onGo({ actions: 'keep' }) })).toEqual([]);
});

test('what is kept in the context may be counted', () => {
  const count = assign({ it: ({ context }: { context: { it: number } }) => (context.it + 1) % 9 });
  expect(findingsIn({ actions: { count }, config: { context: { it: 0 }, on: { go: { actions: 'count' } } } })).toEqual([]);
});
