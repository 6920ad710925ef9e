import { and, assign, enqueueActions, fromPromise, raise, sendParent, spawnChild } from 'xstate';
import { expect, test, vi } from 'vitest';
import { fault, findingsIn, onGo, doNothing, type ImpureParts } from './impure-machine.ts';

const idle = (state: object) => ({ states: { idle: state, gone: {} } });
const nothing = () => {};
const always = () => true;
const inAction = (action: unknown, more: ImpureParts = {}): ImpureParts => ({
  ...more,
  actions: { act: action },
  config: onGo({ actions: 'act' }),
});

const unnamed: [string, string, string, ImpureParts][] = [
  ['actor', 'that is invoked', 'planted.idle invoke still', { config: idle({ invoke: { id: 'still', src: doNothing } }) }],
  ['actor', 'that an assign spawns', 'action act', inAction(assign(({ spawn }) => (spawn(doNothing, { id: 'still' }), {})))],
  ['actor', 'that is spawned', 'action act', inAction(spawnChild(doNothing, { id: 'still' }))],
  [
    'actor',
    'that is enqueued',
    'action act',
    inAction(enqueueActions(({ enqueue }) => enqueue.spawnChild(doNothing, { id: 'still' }))),
  ],
  [
    'actor',
    'that the context spawns',
    'planted context',
    { config: { context: ({ spawn }: { spawn: (...given: unknown[]) => unknown }) => (spawn(doNothing, { id: 'still' }), {}) } },
  ],
  ['action', 'of a transition', 'planted.idle go', { config: onGo({ actions: nothing }) }],
  ['action', 'of a transition, of XState', 'planted.idle go', { config: onGo({ actions: assign({ it: 1 }) }) }],
  ['action', 'on entry', 'planted.idle entry', { config: idle({ entry: nothing }) }],
  ['action', 'on exit', 'planted.idle exit', { config: idle({ exit: [sendParent({ type: 'left' })], on: { go: 'gone' } }) }],
  [
    'action',
    'of an initial transition',
    'planted initial',
    { config: { ...idle({}), initial: { target: 'idle', actions: nothing } } },
  ],
  [
    'action',
    'of an answer',
    'planted.idle xstate.done.actor.still',
    { actors: { still: doNothing }, config: idle({ invoke: { id: 'still', src: 'still', onDone: { actions: nothing } } }) },
  ],
  ['action', 'that is enqueued', 'action act', inAction(enqueueActions(({ enqueue }) => enqueue(nothing)))],
  ['guard', 'of a transition', 'planted.idle go', { config: onGo({ guard: always }) }],
  ['guard', 'made of named ones', 'planted.idle go', { guards: { always }, config: onGo({ guard: and(['always', 'always']) }) }],
  [
    'guard',
    'of a state that is left at once',
    'planted.idle always',
    { config: idle({ always: { guard: always, target: 'gone' } }) },
  ],
  [
    'guard',
    'that an action checks',
    'action act',
    inAction(enqueueActions(({ check, enqueue }) => void (check(always) && enqueue.assign({ it: 1 })))),
  ],
  ['delay', 'of a state', 'planted.idle after 30', { config: idle({ after: { 30: 'gone' } }) }],
  ['delay', 'that nothing gives', 'planted.idle after soon', { config: idle({ after: { soon: 'gone' } }) }],
  ['delay', 'of a raised event', 'action act', inAction(raise({ type: 'go' }, { delay: 30 }))],
  ['delay', 'of a sent event', 'action act', inAction(sendParent({ type: 'go' }, { delay: () => 30 }))],
  [
    'delay',
    'that is enqueued',
    'action act',
    inAction(enqueueActions(({ enqueue }) => enqueue.raise({ type: 'go' }, { delay: 30 }))),
  ],
];

test.each(unnamed)('an unnamed %s %s is found', (kind, _, place, faulty) => {
  expect(findingsIn(faulty)).toEqual([fault(place, `an unnamed ${kind}`)]);
});

const nameless: [string, string, string, ImpureParts][] = [
  ['invoke', '', 'planted.idle invoke 0', { actors: { still: doNothing }, config: idle({ invoke: { src: 'still' } }) }],
  [
    'spawn',
    'in an assign',
    'action act',
    inAction(
      assign(({ spawn }) => (spawn('still'), {})),
      { actors: { still: doNothing } },
    ),
  ],
  ['spawn', 'as an action', 'action act', inAction(spawnChild('still'), { actors: { still: doNothing } })],
  [
    'spawn',
    'that is enqueued',
    'action act',
    inAction(
      enqueueActions(({ enqueue }) => enqueue.spawnChild('still')),
      { actors: { still: doNothing } },
    ),
  ],
];

test.each(nameless)('an %s without an id %s is found', (kind, _, place, faulty) => {
  const article = kind === 'invoke' ? 'an' : 'a';
  expect(findingsIn(faulty)).toEqual([fault(place, `${article} ${kind} without an id`)]);
});

const missing: [string, string, ImpureParts][] = [
  ['action', 'planted.idle go', { config: onGo({ actions: 'celebrate' }) }],
  ['action', 'action act', inAction(enqueueActions(({ enqueue }) => enqueue('celebrate' as never)))],
  ['guard', 'planted.idle go', { config: onGo({ guard: { type: 'celebrate' } }) }],
  ['actor', 'planted.idle invoke party', { config: idle({ invoke: { id: 'party', src: 'celebrate' } }) }],
];

test.each(missing)('the name of an %s that nothing gives is found at %s', (kind, place, faulty) => {
  // XState itself warns of an actor that it cannot find.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(findingsIn(faulty)).toEqual([fault(place, `the ${kind} celebrate, which setup() does not give`)]);
});

test('an effect without the tag of a port is found', () => {
  const ask = fromPromise(() => Promise.resolve(1));
  expect(findingsIn({ actors: { ask } })).toEqual([fault('actor ask', 'an effect that is no port')]);
});

test('what has a name and an id is no fault', () => {
  const act = enqueueActions(({ check, enqueue }) => {
    enqueue.raise({ type: 'go' }, { delay: 'soon' } as never);
    if (check({ type: 'always' } as never)) enqueue.spawnChild('still' as never, { id: 'still' } as never);
    enqueue({ type: 'note' } as never);
  });
  const findings = findingsIn({
    actors: { still: doNothing },
    actions: { act, note: nothing, keep: assign(({ spawn }) => (spawn('still', { id: 'other' }), {})) },
    guards: { always },
    delays: { soon: 30 },
    config: { ...onGo({ actions: ['act', 'keep'], guard: 'always' }), invoke: { id: 'first', src: 'still' } },
  });
  expect(findings).toEqual([]);
});

test('events and states may be called what they like, and be described by anything', () => {
  const transition = { target: 'input', actions: ['keep'] };
  const findings = findingsIn({
    actions: { keep: assign({ it: 1 }) },
    config: {
      initial: 'context',
      states: {
        context: { on: { input: transition, params: transition, guard: transition } },
        input: {},
        meta: { meta: { input: new Map() } },
      },
    },
  });
  expect(findings).toEqual([]);
});
