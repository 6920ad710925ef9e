import { and, assign, enqueueActions, not } from 'xstate';
import { expect, test } from 'vitest';
import { makeFinding, findImpurities, makeGoConfig, type ImpureOptions } from './impure-machine.ts';

type PiiHolder = { pii: { email: string } };
type PiiScope = { context: PiiHolder; event: PiiHolder };
type Customer = { id: string } & PiiHolder;

const customer: Customer = { id: 'u1', pii: { email: 'reader@example.com' } };
const cases = { go: [customer] };
const context = { pii: { email: '' } };

const piiReaders: [string, string, ImpureOptions][] = [
  [
    'the context',
    'guard isKnown',
    {
      guards: { isKnown: (args: PiiScope) => args.context.pii.email !== '' },
      config: { context, ...makeGoConfig({ guard: 'isKnown' }) },
    },
  ],
  [
    'the event',
    'guard isKnown',
    { guards: { isKnown: ({ event }: PiiScope) => event.pii.email !== '' }, config: makeGoConfig({ guard: 'isKnown' }) },
  ],
  [
    'a context that has none yet',
    'guard isKnown',
    {
      guards: { isKnown: (args: { context: Partial<PiiHolder> }) => args.context.pii?.email !== '' },
      config: { context: {}, ...makeGoConfig({ guard: 'isKnown' }) },
    },
  ],
  [
    'a copy of the event',
    'guard isKnown',
    {
      guards: { isKnown: ({ event }: PiiScope) => JSON.stringify(event).includes('@') },
      config: makeGoConfig({ guard: 'isKnown' }),
    },
  ],
  [
    'its parameters',
    'guard isKnown',
    {
      guards: { isKnown: (_: unknown, args: Customer) => args.pii.email !== '' },
      config: makeGoConfig({ guard: { type: 'isKnown', params: ({ event }: PiiScope) => event } }),
    },
  ],
  [
    'its parameters',
    'planted.idle go guard isKnown params',
    {
      guards: { isKnown: (_: unknown, email: string) => email !== '' },
      config: makeGoConfig({ guard: { type: 'isKnown', params: ({ event }: PiiScope) => event.pii.email } }),
    },
  ],
  [
    'a list in the context',
    'guard isKnown',
    {
      guards: { isKnown: (args: { context: { all: Customer[] } }) => args.context.all.some(({ pii }) => pii.email !== '') },
      config: { context: { all: [customer] }, ...makeGoConfig({ guard: 'isKnown' }) },
    },
  ],
  [
    'the context in a state that is left at once',
    'guard isKnown',
    {
      guards: { isKnown: (args: PiiScope) => args.context.pii.email !== '' },
      config: { context, states: { idle: { always: { guard: 'isKnown', target: 'gone' } }, gone: {} } },
    },
  ],
  [
    'the event, as a part of another guard',
    'guard isKnown',
    {
      guards: {
        isKnown: ({ event }: PiiScope) => event.pii.email !== '',
        isWelcome: and([not('isKnown' as never), 'isKnown' as never]),
      },
      config: makeGoConfig({ guard: 'isWelcome' }),
    },
  ],
  [
    'the event, in a function that is a part of another guard',
    'guard isWelcome',
    {
      guards: { isWelcome: and([(({ event }: PiiScope) => event.pii.email !== '') as never]) },
      config: makeGoConfig({ guard: 'isWelcome' }),
    },
  ],
  [
    'the event, in a check by an action',
    'guard isKnown',
    {
      guards: { isKnown: ({ event }: PiiScope) => event.pii.email !== '' },
      actions: { act: enqueueActions(({ check, enqueue }) => void (check('isKnown' as never) && enqueue.assign({ it: 1 }))) },
      config: makeGoConfig({ actions: 'act' }),
    },
  ],
];

test.each(piiReaders)('a guard that reads personal data in %s is found', (_, place, options) => {
  expect(findImpurities({ ...options, cases })).toEqual([makeFinding(place, 'reads pii')]);
});

test('actions may carry personal data, and guards may read other fields beside it', () => {
  const findings = findImpurities({
    guards: { isCustomer: ({ event }: { event: Customer }, args: Customer) => event.id === 'u1' && args.id === 'u1' },
    actions: { keep: assign({ pii: (_: unknown, { pii }: Customer) => ({ email: pii.email }) }) },
    config: {
      context,
      ...makeGoConfig({
        guard: { type: 'isCustomer', params: ({ event }: { event: Customer }) => event },
        actions: { type: 'keep', params: ({ event }: { event: Customer }) => event },
      }),
    },
    cases,
  });
  expect(findings).toEqual([]);
});

test('a guard that checks whether personal data exists is found by the paths that it closes', () => {
  const findings = findImpurities({
    guards: { isVisitor: ({ event }: { event: object }) => !('pii' in event) },
    config: makeGoConfig({ guard: 'isVisitor' }),
  });
  expect(findings).toEqual([makeFinding('planted.idle go', 'does not fire when the machine is watched')]);
});
