import { assign, sendParent, type AnyActorRef } from 'xstate';
import { describe, expect, test } from 'vitest';
import { makeFinding, findImpurities, makeGoConfig, noopActor, type ImpureOptions } from './impure-machine.ts';

class CartInstance {
  lines = [];
}

const makeCircle = (): object => {
  const first: { next?: object } = {};
  first.next = { back: first };
  return first;
};

const objectWithGetter = Object.defineProperty({}, 'now', { enumerable: true, get: () => () => 'now' });

const impureValues: [string, () => unknown, string][] = [
  ['an instance of Date', () => new Date(0), '.it'],
  ['an instance of Map', () => new Map([['a', 1]]), '.it'],
  ['an instance of Set', () => new Set([1]), '.it'],
  ['an instance of TypeError', () => new TypeError('no'), '.it'],
  ['an instance of CartInstance', () => new CartInstance(), '.it'],
  ['an instance of RegExp', () => /a/, '.it'],
  ['an instance of Promise', () => Promise.resolve(), '.it'],
  ['a function', () => () => {}, '.it'],
  ['a function', () => objectWithGetter, '.it.now'],
  ['a symbol', () => Symbol('a'), '.it'],
  ['a bigint', () => 1n, '.it'],
  ['undefined', () => undefined, '.it'],
  ['undefined', () => ['a', undefined], '.it.1'],
  ['undefined', () => Object.assign([], { 1: 'b' }) as unknown[], '.it.0'],
  ['NaN', () => 0 / 0, '.it'],
  ['Infinity', () => 1 / 0, '.it'],
  ['an instance of Date', () => ({ lines: [{ bought: new Date(0) }] }), '.it.lines.0.bought'],
  ['a circular reference', makeCircle, '.it.next.back'],
];

describe.each(impureValues)('%s', (name, createValue, path) => {
  const faultText = `${name}, which is not plain JSON`;

  test(`${name} is found where an action stores it (${path})`, () => {
    const actions = { keep: assign({ it: createValue }) };
    expect(findImpurities({ actions, config: makeGoConfig({ actions: 'keep' }) })).toEqual([
      makeFinding(`action keep context${path}`, faultText),
    ]);
  });

  test(`${name} is found where a machine starts with it (${path})`, () => {
    expect(findImpurities({ config: { context: () => ({ it: createValue() }) } })).toEqual([
      makeFinding(`planted context${path}`, faultText),
    ]);
    expect(findImpurities({ config: { context: { it: createValue() } } })).toEqual([
      makeFinding(`planted context${path}`, faultText),
    ]);
  });
});

test('an actor in the context is found', () => {
  const keep = assign({ child: ({ spawn }) => spawn('still', { id: 'still' }) as AnyActorRef });
  const impureOptions = { actions: { keep }, actors: { still: noopActor }, config: makeGoConfig({ actions: 'keep' }) };
  expect(findImpurities(impureOptions)).toEqual([makeFinding('action keep context.child', 'an actor, which is not plain JSON')]);
});

test('an event that is not plain JSON is found where it is sent', () => {
  const actions = { tell: sendParent(() => ({ type: 'told', at: { when: new Date(0) } })) };
  expect(findImpurities({ actions, config: makeGoConfig({ actions: 'tell' }) })).toEqual([
    makeFinding('action tell event.at.when', 'an instance of Date, which is not plain JSON'),
  ]);
});

test('an input that is not plain JSON is found at its invoke', () => {
  const invoke = { id: 'still', src: 'still', input: () => ({ by: new Set() }) };
  expect(findImpurities({ actors: { still: noopActor }, config: { states: { idle: { invoke }, gone: {} } } })).toEqual([
    makeFinding('planted.idle invoke still input.by', 'an instance of Set, which is not plain JSON'),
  ]);
});

test('an output that is not plain JSON is found', () => {
  const config = { initial: 'gone', states: { gone: { type: 'final' } }, output: () => ({ by: new Set() }) };
  expect(findImpurities({ config })).toEqual([makeFinding('planted output.by', 'an instance of Set, which is not plain JSON')]);
});

type LogContext = { context: { log: string[] } };
type WordsEvent = { event: { words: { text: string } } };

const mutations: [string, string, ImpureOptions][] = [
  [
    'its context',
    'action keep',
    {
      actions: { keep: assign({ log: ({ context }: LogContext) => (context.log.push('went'), context.log) }) },
      config: { context: { log: [] }, ...makeGoConfig({ actions: 'keep' }) },
    },
  ],
  [
    'its event',
    'action keep',
    {
      actions: { keep: assign({ it: ({ event }: WordsEvent) => (event.words.text = '') }) },
      config: makeGoConfig({ actions: 'keep' }),
      cases: { go: [{ words: { text: 'now' } }] },
    },
  ],
  [
    'its parameters',
    'action keep',
    {
      actions: { keep: assign({ it: (_: unknown, words: { text?: string }) => delete words.text }) },
      config: makeGoConfig({ actions: { type: 'keep', params: { text: 'now' } } }),
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
    'the context within a guard',
    'guard isLast',
    {
      guards: { isLast: ({ context }: LogContext) => context.log.reverse()[0] === 'b' },
      config: { context: { log: ['a', 'b'] }, ...makeGoConfig({ guard: 'isLast' }) },
    },
  ],
  [
    'the parameters of a guard',
    'guard isFirst',
    {
      guards: { isFirst: (_: unknown, seen: string[]) => seen.push('now') === 1 },
      config: makeGoConfig({ guard: { type: 'isFirst', params: [] } }),
    },
  ],
];

test('an earlier fault is not attributed to the next action', () => {
  const actions = { keep: assign({ it: () => new Date(0) }), count: assign({ count: 1 }) };
  expect(findImpurities({ actions, config: makeGoConfig({ actions: ['keep', 'count'] }) })).toEqual([
    makeFinding('action keep context.it', 'an instance of Date, which is not plain JSON'),
  ]);
});

test.each(mutations)('a machine that mutates %s is found', (_, place, options) => {
  expect(findImpurities(options)).toEqual([
    makeFinding(place, expect.stringMatching(/^mutates its arguments: Cannot /) as string),
  ]);
});

test('an action may change a copy of the context', () => {
  const keep = assign({ log: ({ context }: LogContext) => [...context.log, 'went'].sort() });
  expect(findImpurities({ actions: { keep }, config: { context: { log: [] }, ...makeGoConfig({ actions: 'keep' }) } })).toEqual(
    [],
  );
});
