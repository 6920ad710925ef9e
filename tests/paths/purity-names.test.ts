import { and, assign, enqueueActions, fromPromise, raise, sendParent, spawnChild } from 'xstate';
import { expect, test, vi } from 'vitest';
import { makeFinding, findImpurities, makeGoConfig, noopActor, type ImpureOptions } from './impure-machine.ts';

const idleState = (state: object) => ({ states: { idle: state, gone: {} } });
const noop = () => {};
const always = () => true;
const actionMachine = (action: unknown, options: ImpureOptions = {}): ImpureOptions => ({
  ...options,
  actions: { act: action },
  config: makeGoConfig({ actions: 'act' }),
});

const unnamedParts: [string, string, string, ImpureOptions][] = [
  ['actor', 'that is invoked', 'planted.idle invoke still', { config: idleState({ invoke: { id: 'still', src: noopActor } }) }],
  ['actor', 'that an assign spawns', 'action act', actionMachine(assign(({ spawn }) => (spawn(noopActor, { id: 'still' }), {})))],
  ['actor', 'that is spawned', 'action act', actionMachine(spawnChild(noopActor, { id: 'still' }))],
  [
    'actor',
    'that is enqueued',
    'action act',
    actionMachine(enqueueActions(({ enqueue }) => enqueue.spawnChild(noopActor, { id: 'still' }))),
  ],
  [
    'actor',
    'that the context spawns',
    'planted context',
    { config: { context: ({ spawn }: { spawn: (...args: unknown[]) => unknown }) => (spawn(noopActor, { id: 'still' }), {}) } },
  ],
  ['action', 'of a transition', 'planted.idle go', { config: makeGoConfig({ actions: noop }) }],
  ['action', 'of XState, on a transition', 'planted.idle go', { config: makeGoConfig({ actions: assign({ it: 1 }) }) }],
  ['action', 'on entry', 'planted.idle entry', { config: idleState({ entry: noop }) }],
  ['action', 'on exit', 'planted.idle exit', { config: idleState({ exit: [sendParent({ type: 'left' })], on: { go: 'gone' } }) }],
  [
    'action',
    'of an initial transition',
    'planted initial',
    { config: { ...idleState({}), initial: { target: 'idle', actions: noop } } },
  ],
  [
    'action',
    'of an answer',
    'planted.idle xstate.done.actor.still',
    { actors: { still: noopActor }, config: idleState({ invoke: { id: 'still', src: 'still', onDone: { actions: noop } } }) },
  ],
  ['action', 'that is enqueued', 'action act', actionMachine(enqueueActions(({ enqueue }) => enqueue(noop)))],
  ['guard', 'of a transition', 'planted.idle go', { config: makeGoConfig({ guard: always }) }],
  [
    'guard',
    'made of named guards',
    'planted.idle go',
    { guards: { always }, config: makeGoConfig({ guard: and(['always', 'always']) }) },
  ],
  [
    'guard',
    'of a state that is left at once',
    'planted.idle always',
    { config: idleState({ always: { guard: always, target: 'gone' } }) },
  ],
  [
    'guard',
    'that an action checks',
    'action act',
    actionMachine(enqueueActions(({ check, enqueue }) => void (check(always) && enqueue.assign({ it: 1 })))),
  ],
  ['delay', 'of a state', 'planted.idle after 30', { config: idleState({ after: { 30: 'gone' } }) }],
  ['delay', 'without a definition', 'planted.idle after soon', { config: idleState({ after: { soon: 'gone' } }) }],
  ['delay', 'of a raised event', 'action act', actionMachine(raise({ type: 'go' }, { delay: 30 }))],
  ['delay', 'of a sent event', 'action act', actionMachine(sendParent({ type: 'go' }, { delay: () => 30 }))],
  [
    'delay',
    'that is enqueued',
    'action act',
    actionMachine(enqueueActions(({ enqueue }) => enqueue.raise({ type: 'go' }, { delay: 30 }))),
  ],
];

test.each(unnamedParts)('an unnamed %s %s is found', (kind, _, place, options) => {
  expect(findImpurities(options)).toEqual([makeFinding(place, `an unnamed ${kind}`)]);
});

const partsWithoutId: [string, string, string, ImpureOptions][] = [
  ['invoke', '', 'planted.idle invoke 0', { actors: { still: noopActor }, config: idleState({ invoke: { src: 'still' } }) }],
  [
    'spawn',
    'in an assign',
    'action act',
    actionMachine(
      assign(({ spawn }) => (spawn('still'), {})),
      { actors: { still: noopActor } },
    ),
  ],
  ['spawn', 'as an action', 'action act', actionMachine(spawnChild('still'), { actors: { still: noopActor } })],
  [
    'spawn',
    'that is enqueued',
    'action act',
    actionMachine(
      enqueueActions(({ enqueue }) => enqueue.spawnChild('still')),
      { actors: { still: noopActor } },
    ),
  ],
];

test.each(partsWithoutId)('a missing id is found: %s %s', (kind, _, place, options) => {
  const article = kind === 'invoke' ? 'an' : 'a';
  expect(findImpurities(options)).toEqual([makeFinding(place, `${article} ${kind} without an id`)]);
});

const missingParts: [string, string, ImpureOptions][] = [
  ['action', 'planted.idle go', { config: makeGoConfig({ actions: 'celebrate' }) }],
  ['action', 'action act', actionMachine(enqueueActions(({ enqueue }) => enqueue('celebrate' as never)))],
  ['guard', 'planted.idle go', { config: makeGoConfig({ guard: { type: 'celebrate' } }) }],
  ['actor', 'planted.idle invoke party', { config: idleState({ invoke: { id: 'party', src: 'celebrate' } }) }],
];

test.each(missingParts)('a missing implementation is found: %s at %s', (kind, place, options) => {
  // XState warns of an actor that it cannot find.
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  expect(findImpurities(options)).toEqual([makeFinding(place, `the ${kind} celebrate, which setup() does not define`)]);
});

test('an effect without the tag of a port is found', () => {
  const ask = fromPromise(() => Promise.resolve(1));
  expect(findImpurities({ actors: { ask } })).toEqual([makeFinding('actor ask', 'an effect that is not a port')]);
});

test('effects with a name and an id are accepted', () => {
  const act = enqueueActions(({ check, enqueue }) => {
    enqueue.raise({ type: 'go' }, { delay: 'soon' } as never);
    if (check({ type: 'always' } as never)) enqueue.spawnChild('still' as never, { id: 'still' } as never);
    enqueue({ type: 'note' } as never);
  });
  const findings = findImpurities({
    actors: { still: noopActor },
    actions: { act, note: noop, keep: assign(({ spawn }) => (spawn('still', { id: 'other' }), {})) },
    guards: { always },
    delays: { soon: 30 },
    config: { ...makeGoConfig({ actions: ['act', 'keep'], guard: 'always' }), invoke: { id: 'first', src: 'still' } },
  });
  expect(findings).toEqual([]);
});

test('events and states may have any name, and states any meta', () => {
  const transition = { target: 'input', actions: ['keep'] };
  const findings = findImpurities({
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
