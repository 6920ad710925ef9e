import { assign, sendParent, type AnyActorRef } from 'xstate';
import { describe, expect, test } from 'vitest';
import { fault, findingsIn, onGo, doNothing, type ImpureParts } from './impure-machine.ts';

class Cart {
  lines = [];
}

const circle = (): object => {
  const first: { next?: object } = {};
  first.next = { back: first };
  return first;
};

const getter = Object.defineProperty({}, 'now', { enumerable: true, get: () => () => 'now' });

const wrong: [string, () => unknown, string][] = [
  ['an instance of Date', () => new Date(0), '.it'],
  ['an instance of Map', () => new Map([['a', 1]]), '.it'],
  ['an instance of Set', () => new Set([1]), '.it'],
  ['an instance of TypeError', () => new TypeError('no'), '.it'],
  ['an instance of Cart', () => new Cart(), '.it'],
  ['an instance of RegExp', () => /a/, '.it'],
  ['an instance of Promise', () => Promise.resolve(), '.it'],
  ['a function', () => () => {}, '.it'],
  ['a function', () => getter, '.it.now'],
  ['a symbol', () => Symbol('a'), '.it'],
  ['a bigint', () => 1n, '.it'],
  ['undefined', () => undefined, '.it'],
  ['undefined', () => ['a', undefined], '.it.1'],
  ['undefined', () => Object.assign([], { 1: 'b' }) as unknown[], '.it.0'],
  ['NaN', () => 0 / 0, '.it'],
  ['Infinity', () => 1 / 0, '.it'],
  ['an instance of Date', () => ({ lines: [{ bought: new Date(0) }] }), '.it.lines.0.bought'],
  ['a circle', circle, '.it.next.back'],
];

describe.each(wrong)('%s', (name, make, path) => {
  const faulty = `${name}, which is not plain JSON`;

  test(`is found where an action keeps it (${path})`, () => {
    const actions = { keep: assign({ it: make }) };
    expect(findingsIn({ actions, config: onGo({ actions: 'keep' }) })).toEqual([fault(`action keep context${path}`, faulty)]);
  });

  test(`is found where a machine starts with it (${path})`, () => {
    expect(findingsIn({ config: { context: () => ({ it: make() }) } })).toEqual([fault(`planted context${path}`, faulty)]);
    expect(findingsIn({ config: { context: { it: make() } } })).toEqual([fault(`planted context${path}`, faulty)]);
  });
});

test('an actor in the context is found', () => {
  const keep = assign({ child: ({ spawn }) => spawn('still', { id: 'still' }) as AnyActorRef });
  const faulty = { actions: { keep }, actors: { still: doNothing }, config: onGo({ actions: 'keep' }) };
  expect(findingsIn(faulty)).toEqual([fault('action keep context.child', 'an actor, which is not plain JSON')]);
});

test('an event that is not plain is found where it is sent', () => {
  const actions = { tell: sendParent(() => ({ type: 'told', at: { when: new Date(0) } })) };
  expect(findingsIn({ actions, config: onGo({ actions: 'tell' }) })).toEqual([
    fault('action tell event.at.when', 'an instance of Date, which is not plain JSON'),
  ]);
});

test('an input that is not plain is found where it is given', () => {
  const invoke = { id: 'still', src: 'still', input: () => ({ by: new Set() }) };
  expect(findingsIn({ actors: { still: doNothing }, config: { states: { idle: { invoke }, gone: {} } } })).toEqual([
    fault('planted.idle invoke still input.by', 'an instance of Set, which is not plain JSON'),
  ]);
});

test('an output that is not plain is found', () => {
  const config = { initial: 'gone', states: { gone: { type: 'final' } }, output: () => ({ by: new Set() }) };
  expect(findingsIn({ config })).toEqual([fault('planted output.by', 'an instance of Set, which is not plain JSON')]);
});

type Log = { context: { log: string[] } };
type Said = { event: { words: { text: string } } };

const changes: [string, string, ImpureParts][] = [
  [
    'its context',
    'action keep',
    {
      actions: { keep: assign({ log: ({ context }: Log) => (context.log.push('went'), context.log) }) },
      config: { context: { log: [] }, ...onGo({ actions: 'keep' }) },
    },
  ],
  [
    'its event',
    'action keep',
    {
      actions: { keep: assign({ it: ({ event }: Said) => (event.words.text = '') }) },
      config: onGo({ actions: 'keep' }),
      cases: { go: [{ words: { text: 'now' } }] },
    },
  ],
  [
    'its parameters',
    'action keep',
    {
      actions: { keep: assign({ it: (_: unknown, words: { text?: string }) => delete words.text }) },
      config: onGo({ actions: { type: 'keep', params: { text: 'now' } } }),
    },
  ],
  [
    'its input',
    'planted context',
    {
      config: { context: ({ input }: { input: { lines: string[] } }) => ({ last: input.lines.sort().at(-1) ?? null }) },
      input: { lines: ['b', 'a'] },
    },
  ],
  [
    'what a guard looks at',
    'guard isLast',
    {
      guards: { isLast: ({ context }: Log) => context.log.reverse()[0] === 'b' },
      config: { context: { log: ['a', 'b'] }, ...onGo({ guard: 'isLast' }) },
    },
  ],
  [
    'the parameters of a guard',
    'guard isFirst',
    {
      guards: { isFirst: (_: unknown, seen: string[]) => seen.push('now') === 1 },
      config: onGo({ guard: { type: 'isFirst', params: [] } }),
    },
  ],
];

test('an earlier fault is not blamed on the next action', () => {
  const actions = { keep: assign({ it: () => new Date(0) }), count: assign({ count: 1 }) };
  expect(findingsIn({ actions, config: onGo({ actions: ['keep', 'count'] }) })).toEqual([
    fault('action keep context.it', 'an instance of Date, which is not plain JSON'),
  ]);
});

test.each(changes)('a machine that changes %s is found', (_, place, faulty) => {
  expect(findingsIn(faulty)).toEqual([fault(place, expect.stringMatching(/^changes what it was given: Cannot /) as string)]);
});

test('copies may be changed', () => {
  const keep = assign({ log: ({ context }: Log) => [...context.log, 'went'].sort() });
  expect(findingsIn({ actions: { keep }, config: { context: { log: [] }, ...onGo({ actions: 'keep' }) } })).toEqual([]);
});
