import { setup } from 'xstate';
import { expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { listGuardOutcomes, getGuardOutcomes } from '../../machines/paths/guards.ts';

const coinMachine = setup({
  types: {} as { events: { type: 'tossed'; side: string } | { type: 'asked' } },
  guards: { is: (_, [side, expectedSide]: [string, string]) => side === expectedSide, isSure: () => false },
}).createMachine({
  id: 'coin',
  initial: 'up',
  on: { asked: { guard: 'isSure', target: '.head' } },
  states: {
    up: {
      on: {
        tossed: [
          { guard: { type: 'is', params: ({ event }) => [event.side, 'head'] }, target: 'head' },
          { guard: { type: 'is', params: ({ event }) => [event.side, 'tail'] }, target: 'tail' },
          { target: 'edge' },
        ],
      },
    },
    edge: { always: [{ guard: 'isSure', target: 'head' }, { target: 'tail' }] },
    head: {},
    tail: {},
  },
});

const coinSides = ['head', 'tail', 'edge'].map((side) => ({ side }));
const edges = explore(coinMachine, { cases: { tossed: coinSides } }).start.out;
const outcomes = Object.fromEntries(
  edges.map((edge) => [String(edge.event['side'] ?? edge.event.type), [...new Set(getGuardOutcomes(edge))].toSorted()]),
);

test('each guard has two outcomes', () => {
  expect(listGuardOutcomes(coinMachine).toSorted()).toEqual(
    ['coin asked', 'coin.edge always#0', 'coin.up tossed#0', 'coin.up tossed#1'].flatMap((each) => [
      `${each} is false`,
      `${each} is true`,
    ]),
  );
});

test('an edge has the outcomes of all evaluated guards, also of those in transient states', () => {
  expect(outcomes).toEqual({
    head: ['coin.up tossed#0 is true'],
    tail: ['coin.up tossed#0 is false', 'coin.up tossed#1 is true'],
    edge: ['coin.edge always#0 is false', 'coin.up tossed#0 is false', 'coin.up tossed#1 is false'],
    asked: ['coin asked is false'],
  });
});
