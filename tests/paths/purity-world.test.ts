import { assign } from 'xstate';
import { describe, expect, test } from 'vitest';
import { withForbiddenGlobals } from '../../machines/paths/purity-globals.ts';
import { channelPort, requestPort } from '../../machines/ports.ts';
import { makeFinding, findImpurities, makeGoConfig, createImpureMachine, type ImpureOptions } from './impure-machine.ts';
import { checkPurity } from '../../machines/paths/purity.ts';

const globalReads: [string, () => unknown][] = [
  ['Date.now', () => Date.now()],
  ['new Date()', () => new Date().getTime()],
  ['Date()', () => Date()],
  ['Math.random', () => Math.random()],
  ['crypto', () => crypto.getRandomValues(new Uint8Array(1))[0]],
  ['crypto', () => crypto.randomUUID()],
  ['crypto', () => typeof crypto.subtle],
  ['performance', () => performance.now()],
  ['fetch', () => fetch('/titles')],
  ['XMLHttpRequest', () => new XMLHttpRequest().status],
  ['WebSocket', () => new WebSocket('wss://colophon.example').url],
  ['setTimeout', () => setTimeout(() => {}, 1)],
  ['setInterval', () => setInterval(() => {}, 1)],
  ['setImmediate', () => setImmediate(() => {})],
  ['queueMicrotask', () => queueMicrotask(() => {})],
  ['requestAnimationFrame', () => requestAnimationFrame(() => {})],
  ['localStorage', () => localStorage.getItem('cart')],
  ['sessionStorage', () => sessionStorage.getItem('cart')],
  ['navigator', () => navigator.language],
  ['location', () => location.href],
  ['document', () => document.title],
  ['window', () => typeof window],
];

test.each(globalReads)('%s is found in an action', (name, readGlobal) => {
  const actions = { keep: assign({ it: () => readGlobal() as string }) };
  expect(findImpurities({ actions, config: makeGoConfig({ actions: 'keep' }) })).toEqual([
    makeFinding('action keep', `touches ${name}`),
  ]);
});

const readClock = () => Date.now();
const clockReads: [string, string, ImpureOptions][] = [
  ['a custom action', 'action note', { actions: { note: readClock }, config: makeGoConfig({ actions: 'note' }) }],
  [
    'an asynchronous action',
    'action note',
    { actions: { note: async () => readClock() }, config: makeGoConfig({ actions: 'note' }) },
  ],
  ['a guard', 'guard isLate', { guards: { isLate: () => readClock() > 5 }, config: makeGoConfig({ guard: 'isLate' }) }],
  ['the context', 'planted context', { config: { context: () => ({ since: readClock() }) } }],
  [
    'the parameters of an action',
    'planted go actions keep params',
    { actions: { keep: assign({}) }, config: { on: { go: { actions: { type: 'keep', params: readClock } } } } },
  ],
  [
    'the input of an invoke',
    'planted.idle invoke ask input',
    {
      actors: { ask: requestPort() },
      config: { states: { idle: { invoke: { id: 'ask', src: 'ask', input: readClock } }, gone: {} } },
    },
  ],
  ['the output', 'planted output', { config: { output: readClock, initial: 'gone', states: { gone: { type: 'final' } } } }],
  ['a delay', 'delay soon', { delays: { soon: readClock }, config: { states: { idle: { after: { soon: 'gone' } }, gone: {} } } }],
  [
    'a request port',
    'actor ask',
    { actors: { ask: requestPort(async ({ input }) => readClock() + Number(`${String(input)}`)) } },
  ],
];

test.each(clockReads)('the clock is found in %s', (_, place, options) => {
  expect(findImpurities(options)).toEqual([makeFinding(place, 'touches Date.now')]);
});

test('a socket that a channel port opens is found', () => {
  const hear = channelPort(() => {
    const socket = new WebSocket('wss://colophon.example');
    return () => socket.close();
  });
  expect(findImpurities({ actors: { hear } })).toEqual([makeFinding('actor hear', 'touches WebSocket')]);
});

test('an access is found even if the machine catches its error', () => {
  const keep = assign({
    it: () => {
      try {
        return localStorage.getItem('cart');
      } catch {
        return null;
      }
    },
  });
  expect(findImpurities({ actions: { keep }, config: makeGoConfig({ actions: 'keep' }) })).toEqual([
    makeFinding('action keep', 'touches localStorage'),
  ]);
});

test('an access that only happens after many steps is found', () => {
  const count = ({ context }: { context: { count: number } }) => (context.count < 9 ? context.count + 1 : readClock());
  const impureOptions = {
    actions: { count: assign({ count }) },
    config: { context: { count: 0 }, on: { go: { actions: 'count' } } },
  };
  expect(findImpurities(impureOptions)).toEqual([makeFinding('action count', 'touches Date.now')]);
});

test('a time passed as data may be read', () => {
  const keep = assign({ it: () => new Date('2026-01-01T00:00:00Z').getTime() + Date.parse('2026-01-01T00:00:00Z') });
  expect(findImpurities({ actions: { keep }, config: makeGoConfig({ actions: 'keep' }) })).toEqual([]);
});

describe('afterwards all globals are restored', () => {
  const readGlobals = () =>
    ['Date', 'crypto', 'performance', 'fetch', 'setTimeout', 'localStorage', 'location', 'navigator', 'window'].map((key) => [
      key,
      Object.getOwnPropertyDescriptor(globalThis, key),
    ]);
  const originalGlobals = [readGlobals(), Object.getOwnPropertyDescriptor(Math, 'random')];

  test('all globals are restored after a fault was found', () => {
    findImpurities({ actions: { note: readClock }, config: makeGoConfig({ actions: 'note' }) });
    expect([readGlobals(), Object.getOwnPropertyDescriptor(Math, 'random')]).toEqual(originalGlobals);
    expect([Date.now(), Math.random(), performance.now()].every(Number.isFinite)).toBe(true);
  });

  test('all globals are restored after the run throws', () => {
    const throwBroken = () => {
      throw new Error('broken');
    };
    expect(() => withForbiddenGlobals(() => {}, throwBroken)).toThrow('broken');
    expect([readGlobals(), Object.getOwnPropertyDescriptor(Math, 'random')]).toEqual(originalGlobals);
  });

  test('all globals are restored after the machine exceeds its limit', () => {
    const machine = createImpureMachine({
      actions: { keep: assign({ log: ({ context }: { context: { log: number } }) => context.log + 1 }) },
      config: { context: { log: 0 }, on: { say: { actions: 'keep' } } },
    });
    expect(() => checkPurity(machine, { limit: 9, kind: ({ context }): unknown => context })).toThrow(RangeError);
    expect(readGlobals()).toEqual(originalGlobals[0]);
  });
});
