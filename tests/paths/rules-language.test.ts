import { assign, createMachine, setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { checkRules, type CheckOptions } from '../../machines/paths/check-rules.ts';
import { rulesFor, type Rule } from '../../machines/paths/rules.ts';
import { markOpenEnded, requestPort } from '../../machines/ports.ts';

type Event = 'ask.pressed' | 'back.pressed' | 'thrown';

const deskMachine = setup({
  types: {} as { context: { requestCount: number }; events: { type: Event } },
  actors: { answer: requestPort<string>(), dialog: markOpenEnded(requestPort<null>()) },
  actions: { count: assign({ requestCount: ({ context }) => context.requestCount + 1 }) },
}).createMachine({
  id: 'desk',
  context: { requestCount: 0 },
  initial: 'idle',
  states: {
    idle: { on: { 'ask.pressed': { target: 'asking', actions: 'count' } } },
    asking: { invoke: { id: 'answer', src: 'answer', onDone: 'answered', onError: 'failed' } },
    answered: { on: { 'back.pressed': 'idle' } },
    failed: { on: { 'back.pressed': 'idle' } },
  },
});

const { invariant, always, never, onlyAfter, remembering, leadsTo } = rulesFor<typeof deskMachine>();

const findCounterexample = (rule: Rule, machine: AnyStateMachine = deskMachine, options: CheckOptions = {}): string | null => {
  const [counterexample] = checkRules(machine, [rule], { isPress: (type) => type.endsWith('.pressed'), ...options });
  if (counterexample === undefined) return null;
  return [...counterexample.steps.map(({ event }) => event.type), counterexample.message].join(' > ');
};

test('an invariant holds in every snapshot, and the shortest path that breaks it is found', () => {
  expect(findCounterexample(invariant('', ({ value }) => value !== 'answered' || value.length === 8))).toBeNull();
  expect(findCounterexample(invariant('', ({ value }) => value !== 'failed' || 'it failed'))).toBe(
    'ask.pressed > xstate.error.actor.answer > it failed',
  );
  expect(findCounterexample(invariant('', () => false))).toBe('');
});

test('a rule about steps gets their effects', () => {
  const requestsWhenPressed = always(
    '',
    ({ event, effects }) => (event.type === 'ask.pressed') === effects.some(({ kind }) => kind === 'start'),
  );
  expect(findCounterexample(requestsWhenPressed)).toBeNull();
  expect(findCounterexample(always('', ({ effects }) => effects.length === 0))).toBe('ask.pressed > ');
});

test('every step that throws is reported once, without any rule', () => {
  const throwError = (message: string) =>
    assign(() => {
      throw new Error(message);
    });
  const machine: AnyStateMachine = createMachine({
    id: 'desk',
    initial: 'idle',
    states: {
      idle: { on: { ask: { actions: throwError('one') }, back: { actions: throwError('two') }, wait: 'waiting' } },
      waiting: { on: { back: { actions: throwError('two') } } },
    },
  });
  expect(checkRules(machine, []).map(({ rule, message }) => [rule, message])).toEqual([
    ['no step throws', '"idle", ask: Error: one'],
    ['no step throws', '"idle", back: Error: two'],
    ['no step throws', '"waiting", back: Error: two'],
  ]);
});

const isAnswered = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'answered';
const isFailed = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'failed';

test('a forbidden later event is found at any distance, and allowed again after its release', () => {
  const failedThenAnswered = { after: isFailed, what: isAnswered };
  expect(findCounterexample(never('', failedThenAnswered))).toBe(
    'ask.pressed > xstate.error.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
  expect(findCounterexample(never('', { ...failedThenAnswered, until: ({ event }) => event.type === 'ask.pressed' }))).toBeNull();
  expect(findCounterexample(never('', { after: isAnswered, what: isAnswered }))).toBe(
    'ask.pressed > xstate.done.actor.answer > ',
  );
});

test('`onlyAfter` requires a cause before an event, or a cause for each event', () => {
  const pressThenAnswered = { cause: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed', what: isAnswered };
  expect(findCounterexample(onlyAfter('', pressThenAnswered))).toBeNull();
  expect(findCounterexample(onlyAfter('', { ...pressThenAnswered, each: true }))).toBeNull();
  expect(findCounterexample(onlyAfter('', { cause: isFailed, what: isAnswered }))).toBe(
    'ask.pressed > xstate.done.actor.answer > ',
  );
  const startThenAnswered = { cause: ({ before }: { before: unknown }) => before === null, what: isAnswered };
  expect(findCounterexample(onlyAfter('', startThenAnswered))).toBeNull();
  expect(findCounterexample(onlyAfter('', { ...startThenAnswered, each: true }))).toBe(
    'ask.pressed > xstate.done.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
});

test('a rule can remember earlier steps', () => {
  const atMostTwice = remembering('', 0, (count: number, { event }) => {
    const pressCount = count + (event.type === 'ask.pressed' ? 1 : 0);
    return pressCount > 2 ? { broken: `asked ${pressCount} times` } : { memory: pressCount };
  });
  expect(findCounterexample(atMostTwice)).toMatch(/asked 3 times$/);
});

describe('a state that must be reached', () => {
  const afterPress = { after: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed' };
  const leadsToAnswer = leadsTo('', { ...afterPress, to: (moment) => isAnswered(moment) || isFailed(moment) });

  const createDesk = (states: object): AnyStateMachine =>
    setup({
      actors: { answer: requestPort<string>(), dialog: markOpenEnded(requestPort<null>()) },
      delays: { soon: 1000 },
    }).createMachine({
      id: 'desk',
      initial: 'idle',
      states: { idle: { on: { 'ask.pressed': 'asking' } }, answered: {}, failed: {}, ...states },
    } as never) as unknown as AnyStateMachine;

  test('a required state is reached with any answer', () => {
    expect(findCounterexample(leadsToAnswer)).toBeNull();
  });

  test('a required state is not reached if an answer leads elsewhere', () => {
    const machine = createDesk({
      asking: { invoke: { id: 'answer', src: 'answer', onDone: 'answered', onError: 'lost' } },
      lost: {},
    });
    expect(findCounterexample(leadsToAnswer, machine)).toBe(
      'ask.pressed > xstate.error.actor.answer > no path leads from here to the required state',
    );
  });

  test('a required state is not reached if no call is pending and no button can be pressed', () => {
    const silentState = { on: { thrown: 'answered' } };
    expect(findCounterexample(leadsToAnswer, createDesk({ asking: silentState }))).toBe(
      'ask.pressed > nothing is pending here, and no press is possible',
    );
    const dialog = { invoke: { id: 'dialog', src: 'dialog', onDone: 'answered', onError: 'failed' } };
    expect(findCounterexample(leadsToAnswer, createDesk({ asking: dialog }))).toContain(
      'nothing is pending here, and no press is possible',
    );
    expect(findCounterexample(leadsToAnswer, createDesk({ asking: { ...dialog, on: { 'back.pressed': 'failed' } } }))).toBeNull();
  });

  test('a required state is not reached if answers may cycle for ever without a delay', () => {
    const answerInvoke = { id: 'answer', src: 'answer', onDone: 'answered' };
    const immediateRetry = { invoke: { ...answerInvoke, onError: { target: 'asking', reenter: true } } };
    expect(findCounterexample(leadsToAnswer, createDesk({ asking: immediateRetry }))).toBe(
      'ask.pressed > answers alone may loop forever from here',
    );
    const delayedRetry = { asking: { invoke: { ...answerInvoke, onError: 'waiting' } }, waiting: { after: { soon: 'asking' } } };
    expect(findCounterexample(leadsToAnswer, createDesk(delayedRetry))).toBeNull();
  });
});
