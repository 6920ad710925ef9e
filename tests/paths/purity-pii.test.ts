import { and, assign, enqueueActions, not } from 'xstate';
import { expect, test } from 'vitest';
import { fault, findingsIn, onGo, type ImpureParts } from './impure-machine.ts';

type Pii = { pii: { email: string } };
type Given = { context: Pii; event: Pii };
type Customer = { id: string } & Pii;

const customer: Customer = { id: 'u1', pii: { email: 'reader@example.com' } };
const cases = { go: [customer] };
const context = { pii: { email: '' } };

const readers: [string, string, ImpureParts][] = [
  [
    'the context',
    'guard isKnown',
    { guards: { isKnown: (given: Given) => given.context.pii.email !== '' }, config: { context, ...onGo({ guard: 'isKnown' }) } },
  ],
  [
    'the event',
    'guard isKnown',
    { guards: { isKnown: ({ event }: Given) => event.pii.email !== '' }, config: onGo({ guard: 'isKnown' }) },
  ],
  [
    'a context that has none yet',
    'guard isKnown',
    {
      guards: { isKnown: (given: { context: Partial<Pii> }) => given.context.pii?.email !== '' },
      config: { context: {}, ...onGo({ guard: 'isKnown' }) },
    },
  ],
  [
    'a copy of the event',
    'guard isKnown',
    { guards: { isKnown: ({ event }: Given) => JSON.stringify(event).includes('@') }, config: onGo({ guard: 'isKnown' }) },
  ],
  [
    'its parameters',
    'guard isKnown',
    {
      guards: { isKnown: (_: unknown, given: Customer) => given.pii.email !== '' },
      config: onGo({ guard: { type: 'isKnown', params: ({ event }: Given) => event } }),
    },
  ],
  [
    'what its parameters take',
    'planted.idle go guard isKnown params',
    {
      guards: { isKnown: (_: unknown, email: string) => email !== '' },
      config: onGo({ guard: { type: 'isKnown', params: ({ event }: Given) => event.pii.email } }),
    },
  ],
  [
    'a list in the context',
    'guard isKnown',
    {
      guards: { isKnown: (given: { context: { all: Customer[] } }) => given.context.all.some(({ pii }) => pii.email !== '') },
      config: { context: { all: [customer] }, ...onGo({ guard: 'isKnown' }) },
    },
  ],
  [
    'the context in a state that is left at once',
    'guard isKnown',
    {
      guards: { isKnown: (given: Given) => given.context.pii.email !== '' },
      config: { context, states: { idle: { always: { guard: 'isKnown', target: 'gone' } }, gone: {} } },
    },
  ],
  [
    'the event, as a part of another guard',
    'guard isKnown',
    {
      guards: {
        isKnown: ({ event }: Given) => event.pii.email !== '',
        isWelcome: and([not('isKnown' as never), 'isKnown' as never]),
      },
      config: onGo({ guard: 'isWelcome' }),
    },
  ],
  [
    'the event, in a function that is a part of another guard',
    'guard isWelcome',
    {
      guards: { isWelcome: and([(({ event }: Given) => event.pii.email !== '') as never]) },
      config: onGo({ guard: 'isWelcome' }),
    },
  ],
  [
    'the event, asked by an action',
    'guard isKnown',
    {
      guards: { isKnown: ({ event }: Given) => event.pii.email !== '' },
      actions: { act: enqueueActions(({ check, enqueue }) => void (check('isKnown' as never) && enqueue.assign({ it: 1 }))) },
      config: onGo({ actions: 'act' }),
    },
  ],
];

test.each(readers)('a guard that reads personal data in %s is found', (_, place, faulty) => {
  expect(findingsIn({ ...faulty, cases })).toEqual([fault(place, 'reads pii')]);
});

test('actions may carry personal data, and guards may read what stands beside it', () => {
  const findings = findingsIn({
    guards: { isCustomer: ({ event }: { event: Customer }, given: Customer) => event.id === 'u1' && given.id === 'u1' },
    actions: { keep: assign({ pii: (_: unknown, { pii }: Customer) => ({ email: pii.email }) }) },
    config: {
      context,
      ...onGo({
        guard: { type: 'isCustomer', params: ({ event }: { event: Customer }) => event },
        actions: { type: 'keep', params: ({ event }: { event: Customer }) => event },
      }),
    },
    cases,
  });
  expect(findings).toEqual([]);
});

test('a guard that checks whether personal data exists is found by the paths that it closes', () => {
  const findings = findingsIn({
    guards: { isVisitor: ({ event }: { event: object }) => !('pii' in event) },
    config: onGo({ guard: 'isVisitor' }),
  });
  expect(findings).toEqual([fault('planted.idle go', 'is not taken when the machine is watched')]);
});
