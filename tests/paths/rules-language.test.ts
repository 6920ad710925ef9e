import { assign, setup, type AnyStateMachine } from 'xstate';
import { describe, expect, test } from 'vitest';
import { checkRules, type CheckOptions } from '../../machines/paths/check-rules.ts';
import { rulesFor, type Rule } from '../../machines/paths/rules.ts';
import { openEnded, requestPort } from '../../machines/ports.ts';

type Event = 'ask.pressed' | 'back.pressed' | 'thrown';

const desk = setup({
  types: {} as { context: { asked: number }; events: { type: Event } },
  actors: { answer: requestPort<string>(), dialog: openEnded(requestPort<null>()) },
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

const { invariant, always, never, onlyAfter, remembering, leadsTo } = rulesFor<typeof desk>();

const brokenBy = (rule: Rule, machine: AnyStateMachine = desk, options: CheckOptions = {}): string | null => {
  const [found] = checkRules(machine, [rule], { isPress: (type) => type.endsWith('.pressed'), ...options });
  if (found === undefined) return null;
  return [...found.steps.map(({ event }) => event.type), found.says].join(' > ');
};

test('an invariant holds in every snapshot, and the shortest path to one in which it does not is found', () => {
  expect(brokenBy(invariant('', ({ value }) => value !== 'told' || value.length === 4))).toBeNull();
  expect(brokenBy(invariant('', ({ value }) => value !== 'failed' || 'it failed'))).toBe(
    'ask.pressed > xstate.error.actor.answer > it failed',
  );
  expect(brokenBy(invariant('', () => false))).toBe('');
});

test('a step is looked at with what it asks for', () => {
  const asksWhenPressed = always(
    '',
    ({ event, effects }) => (event.type === 'ask.pressed') === effects.some(({ kind }) => kind === 'start'),
  );
  expect(brokenBy(asksWhenPressed)).toBeNull();
  expect(brokenBy(always('', ({ effects }) => effects.length === 0))).toBe('ask.pressed > ');
});

test('a step that throws breaks every machine', () => {
  const slips = assign(() => {
    throw new Error('slipped');
  });
  const machine: AnyStateMachine = desk.provide({ actions: { count: slips as never } });
  expect(checkRules(machine, [])).toEqual([{ rule: 'no step throws', says: '"idle", ask.pressed: Error: slipped', steps: [] }]);
});

const isTold = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'told';
const isFailed = ({ snapshot }: { snapshot: { value: unknown } }) => snapshot.value === 'failed';

test('what must never follow is found, however much lies between, and not after what allows it again', () => {
  const both = { after: isFailed, what: isTold };
  expect(brokenBy(never('', both))).toBe(
    'ask.pressed > xstate.error.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
  expect(brokenBy(never('', { ...both, until: ({ event }) => event.type === 'ask.pressed' }))).toBeNull();
  expect(brokenBy(never('', { after: isTold, what: isTold }))).toBe('ask.pressed > xstate.done.actor.answer > ');
});

test('what needs a cause has had it, and where each needs its own, that too', () => {
  const isAsked = { cause: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed', what: isTold };
  expect(brokenBy(onlyAfter('', isAsked))).toBeNull();
  expect(brokenBy(onlyAfter('', { ...isAsked, each: true }))).toBeNull();
  expect(brokenBy(onlyAfter('', { cause: isFailed, what: isTold }))).toBe('ask.pressed > xstate.done.actor.answer > ');
  const once = { cause: ({ before }: { before: unknown }) => before === null, what: isTold };
  expect(brokenBy(onlyAfter('', once))).toBeNull();
  expect(brokenBy(onlyAfter('', { ...once, each: true }))).toBe(
    'ask.pressed > xstate.done.actor.answer > back.pressed > ask.pressed > xstate.done.actor.answer > ',
  );
});

test('a rule may keep something in mind', () => {
  const atMostTwice = remembering('', 0, (asked: number, { event }) => {
    const now = asked + (event.type === 'ask.pressed' ? 1 : 0);
    return now > 2 ? { broken: `asked ${now} times` } : { memory: now };
  });
  expect(brokenBy(atMostTwice)).toMatch(/asked 3 times$/);
});

describe('what must be reached', () => {
  const asked = { after: ({ event }: { event: { type: string } }) => event.type === 'ask.pressed' };
  const answered = leadsTo('', { ...asked, to: (moment) => isTold(moment) || isFailed(moment) });

  const changed = (states: object): AnyStateMachine =>
    setup({
      actors: { answer: requestPort<string>(), dialog: openEnded(requestPort<null>()) },
      delays: { soon: 1000 },
    }).createMachine({
      id: 'desk',
      initial: 'idle',
      states: { idle: { on: { 'ask.pressed': 'asking' } }, told: {}, failed: {}, ...states },
    } as never) as unknown as AnyStateMachine;

  test('is, whatever is answered', () => {
    expect(brokenBy(answered)).toBeNull();
  });

  test('is not where an answer leads elsewhere', () => {
    const machine = changed({ asking: { invoke: { id: 'answer', src: 'answer', onDone: 'told', onError: 'lost' } }, lost: {} });
    expect(brokenBy(answered, machine)).toBe('ask.pressed > xstate.error.actor.answer > from here no way leads there any more');
  });

  test('is not where nothing goes on and nobody can press anything', () => {
    const silent = { on: { thrown: 'told' } };
    expect(brokenBy(answered, changed({ asking: silent }))).toBe(
      'ask.pressed > here nothing goes on, and nobody can press anything',
    );
    const dialog = { invoke: { id: 'dialog', src: 'dialog', onDone: 'told', onError: 'failed' } };
    expect(brokenBy(answered, changed({ asking: dialog }))).toContain('here nothing goes on');
    expect(brokenBy(answered, changed({ asking: { ...dialog, on: { 'back.pressed': 'failed' } } }))).toBeNull();
  });

  test('is not where answers may lead round for ever; where time passes between, it is', () => {
    const again = { id: 'answer', src: 'answer', onDone: 'told' };
    const atOnce = { invoke: { ...again, onError: { target: 'asking', reenter: true } } };
    expect(brokenBy(answered, changed({ asking: atOnce }))).toBe('ask.pressed > from here answers alone may lead round for ever');
    const later = { asking: { invoke: { ...again, onError: 'waiting' } }, waiting: { after: { soon: 'asking' } } };
    expect(brokenBy(answered, changed(later))).toBeNull();
  });
});
