import { setup } from 'xstate';
import { expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { describeStep } from '../../tools/paths/describe-step.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { describeCase } from '../../machines/path-models/description.ts';

const kettle = setup({
  types: {} as { context: { litres: number } },
  guards: { isFull: () => false },
  actions: { whistle: () => {}, remember: () => {} },
  delays: { boiling: ({ context }) => context.litres * 90_000, cooling: 500 },
}).createMachine({
  id: 'kettle',
  context: { litres: 2 },
  initial: 'off',
  on: { 'lid.opened': { guard: 'isFull', target: '.off' }, 'water.added': { actions: 'remember' } },
  states: {
    off: { on: { 'switch.pressed': 'on', 'xstate.done.actor.mains': 'on', 'xstate.error.actor.mains': 'off' } },
    on: { after: { boiling: { target: 'hot', actions: 'whistle' } } },
    hot: { after: { cooling: 'off', 1000: 'off' } },
  },
});

const model: PathModel = {
  name: 'kettle',
  machine: kettle,
  startInstruction: 'Fill the kettle.',
  description: {
    title: 'A kettle',
    about: '',
    states: { 'kettle.off': 'Its light is out.', 'kettle.on': 'Its light says “On”' },
    presses: { 'switch.pressed': 'Press the switch', 'lid.opened': 'Open the lid' },
    asks: { mains: 'power' },
    effects: { whistle: 'It whistles' },
  },
  cases: {
    'switch.pressed': [describeCase('twice', { times: 2 }), { times: 1 }],
    'xstate.error.actor.mains': [describeCase('a fuse is gone', { error: 1 })],
  },
};

const { edges } = explore(kettle, model);
const describeEvent = (type: string, index = 0) => {
  const edge = edges.filter(({ event }) => event.type.startsWith(type))[index];
  if (!edge) throw new Error(`No state accepts ${type}.`);
  return describeStep(model, edge);
};

test('a press is described by its button, its case, and the state that follows', () => {
  const sees = ['Its light says “On”.'];
  expect(describeEvent('switch.pressed')).toEqual({ by: 'you', does: 'Press the switch: twice.', sees, missing: [] });
  expect(describeEvent('switch.pressed', 1)).toEqual({ by: 'you', does: 'Press the switch.', sees, missing: [] });
});

test('a delay is described by its length in the current state', () => {
  expect(describeEvent('xstate.after.boiling')).toMatchObject({ by: 'clock', does: 'Let 180 seconds pass.' });
  expect(describeEvent('xstate.after.cooling')).toMatchObject({ by: 'clock', does: 'Let 500 milliseconds pass.' });
  expect(describeEvent('xstate.after.1000')).toMatchObject({ by: 'clock', does: 'Let 1 second pass.' });
});

test('effects are listed before states, and a state without a description is reported as missing', () => {
  const { sees, missing } = describeEvent('xstate.after.boiling');
  expect(sees).toEqual(['It whistles.', '`kettle.hot`.']);
  expect(missing).toEqual(['state kettle.hot']);
});

test('an answer is described as given or not given by the server', () => {
  expect(describeEvent('xstate.done.actor.mains')).toMatchObject({ by: 'server', does: 'The server gives power.' });
  expect(describeEvent('xstate.error.actor.mains')).toMatchObject({ does: 'The server does not give power: a fuse is gone.' });
});

test('an event that a guard refuses is described as changing nothing', () => {
  expect(describeEvent('lid.opened')).toMatchObject({
    does: 'Open the lid, should the shop let you.',
    sees: ['Nothing changes.'],
  });
});

test('a step with no visible effect and an event without a description are reported as missing', () => {
  expect(describeEvent('water.added').missing).toEqual(['event water.added', 'effect remember']);
});
