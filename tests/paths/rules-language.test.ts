import { assign, setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { checkRules, type CheckOptions } from '../../machines/paths/check-rules.ts';
import { rulesFor, type Rule } from '../../machines/paths/rules.ts';
import { markOpenEnded, requestPort } from '../../machines/ports.ts';

type Event = 'ask.pressed' | 'back.pressed' | 'thrown';

const deskMachine = setup({
  types: {} as { context: { asked: number }; events: { type: Event } },
  actors: { answer: requestPort<string>(), dialog: markOpenEnded(requestPort<null>()) },
  actions: { count: assign({ asked: ({ context }) => context.asked + 1 }) },
}).createMachine({
  id: 'desk',
  context: { asked: 0 },
  initial: 'idle',
  states: {
    idle: { on: { 'ask.pressed': { target: 'asking', actions: 'count' } } },
    asking: { invoke: { id: 'answer', src: 'answer', onDone: 'told', onError: 'failed' } },
    told: { on: { 'back.pressed': 'idle' } },
    failed: { on: { 'back.pressed': 'idle' } },
  },
});

const { invariant, always, never, onlyAfter, remembering, leadsTo } = rulesFor<typeof deskMachine>();

const findCounterexample = (rule: Rule, machine: AnyStateMachine = deskMachine, options: CheckOptions = {}): string | null => {
  const [found] = checkRules(machine, [rule], { isPress: (type) => type.endsWith('.pressed'), ...options });
  if (found === undefined) return null;
  return [...found.steps.map(({ event }) => event.type), found.message].join(' > ');
};

test('an invariant holds in every snapshot, and the shortest path that breaks it is found', () => {
  expect(findCounterexample(invariant('', ({ value }) => value !== 'told' || value.length === 4))).toBeNull();
  expect(findCounterexample(invariant('', ({ value }) => value !== 'failed' || 'it failed'))).toBe(
    'ask.pressed > xstate.error.actor.answer > it failed',
  );
  expect(findCounterexample(invariant('', () => false))).toBe('');
});

test('a rule sees a step with its effects', () => {
  const asksWhenPressed = always(
    '',
    ({ event, effects }) => (event.type === 'ask.pressed') === effects.some(({ kind }) => kind === 'start'),
  );
  expect(findCounterexample(asksWhenPressed)).toBeNull();
  expect(findCounterexample(always('', ({ effects }) => effects.length === 0))).toBe('ask.pressed > ');
});

test('a step that throws breaks every machine', () => {
  const slips = assign(() => {
    throw new Error('slipped');
  });
  const machine: AnyStateMachine = deskMachine.provide({ actions: { count: slips as never } });
  expect(checkRules(machine, [])).toEqual([
    { rule: 'no step throws', message: '"idle", ask.pressed: Error: slipped', steps: [] },
  ]);
});

const isTold = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'told';
const isFailed = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'failed';

test('a forbidden later event is found at any distance, and allowed again after its release', () => {
  const both = { after: isFailed, what: isTold };
  expect(findCounterexample(never('', both))).toBe(
    'ask.pressed > xstate.error.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
  expect(findCounterexample(never('', { ...both, until: ({ event }) => event.type === 'ask.pressed' }))).toBeNull();
  expect(findCounterexample(never('', { after: isTold, what: isTold }))).toBe('ask.pressed > xstate.done.actor.answer > ');
});

test('an event that needs a cause has one, or one of its own if each needs its own', () => {
  const isAsked = { cause: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed', what: isTold };
  expect(findCounterexample(onlyAfter('', isAsked))).toBeNull();
  expect(findCounterexample(onlyAfter('', { ...isAsked, each: true }))).toBeNull();
  expect(findCounterexample(onlyAfter('', { cause: isFailed, what: isTold }))).toBe('ask.pressed > xstate.done.actor.answer > ');
  const once = { cause: ({ before }: { before: unknown }) => before === null, what: isTold };
  expect(findCounterexample(onlyAfter('', once))).toBeNull();
  expect(findCounterexample(onlyAfter('', { ...once, each: true }))).toBe(
    'ask.pressed > xstate.done.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
});

test('a rule may have memory', () => {
  const atMostTwice = remembering('', 0, (asked: number, { event }) => {
    const now = asked + (event.type === 'ask.pressed' ? 1 : 0);
    return now > 2 ? { broken: `asked ${now} times` } : { memory: now };
  });
  expect(findCounterexample(atMostTwice)).toMatch(/asked 3 times$/);
});

describe('a state that must be reached', () => {
  const asked = { after: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed' };
  const answered = leadsTo('', { ...asked, to: (moment) => isTold(moment) || isFailed(moment) });

  const changed = (states: object): AnyStateMachine =>
    setup({
      actors: { answer: requestPort<string>(), dialog: markOpenEnded(requestPort<null>()) },
      delays: { soon: 1000 },
    }).createMachine({
      id: 'desk',
      initial: 'idle',
      states: { idle: { on: { 'ask.pressed': 'asking' } }, told: {}, failed: {}, ...states },
    } as never) as unknown as AnyStateMachine;

  test('is reached with any answer', () => {
    expect(findCounterexample(answered)).toBeNull();
  });

  test('is not reached if an answer leads elsewhere', () => {
    const machine = changed({ asking: { invoke: { id: 'answer', src: 'answer', onDone: 'told', onError: 'lost' } }, lost: {} });
    expect(findCounterexample(answered, machine)).toBe(
      'ask.pressed > xstate.error.actor.answer > no path leads from here to the required state',
    );
  });

  test('is not reached if no call is pending and no button can be pressed', () => {
    const silent = { on: { thrown: 'told' } };
    expect(findCounterexample(answered, changed({ asking: silent }))).toBe(
      'ask.pressed > nothing is pending here, and no press is possible',
    );
    const dialog = { invoke: { id: 'dialog', src: 'dialog', onDone: 'told', onError: 'failed' } };
    expect(findCounterexample(answered, changed({ asking: dialog }))).toContain(
      'nothing is pending here, and no press is possible',
    );
    expect(findCounterexample(answered, changed({ asking: { ...dialog, on: { 'back.pressed': 'failed' } } }))).toBeNull();
  });

  test('is not reached if answers may cycle for ever; a delay in the cycle allows it', () => {
    const again = { id: 'answer', src: 'answer', onDone: 'told' };
    const atOnce = { invoke: { ...again, onError: { target: 'asking', reenter: true } } };
    expect(findCounterexample(answered, changed({ asking: atOnce }))).toBe(
      'ask.pressed > answers alone may loop forever from here',
    );
    const later = { asking: { invoke: { ...again, onError: 'waiting' } }, waiting: { after: { soon: 'asking' } } };
    expect(findCounterexample(answered, changed(later))).toBeNull();
  });
});
