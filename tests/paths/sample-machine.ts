import { assign, setup } from 'xstate';

/** A small machine whose states, transitions, guards and pairs can be counted by hand. */
export const lampMachine = setup({
  types: {} as {
    context: { oil: number };
    events: { type: 'lit'; wick: boolean } | { type: 'dimmed' } | { type: 'smashed' };
  },
  actions: { burn: assign({ oil: ({ context }) => context.oil - 1 }) },
  guards: {
    hasWick: (_, wick: boolean) => wick,
    isEmpty: ({ context }) => context.oil === 0,
  },
}).createMachine({
  id: 'lamp',
  context: { oil: 2 },
  initial: 'dark',
  states: {
    dark: {
      always: { guard: 'isEmpty', target: 'empty' },
      on: { lit: { guard: { type: 'hasWick', params: ({ event }) => event.wick }, target: 'bright' } },
    },
    bright: { entry: 'burn', on: { dimmed: 'dark', smashed: 'broken' } },
    empty: { type: 'final' },
    broken: {},
  },
});

export const lampCases = { lit: [{ wick: true }, { wick: false }] };

export const lampTransitions = ['lamp.dark lit', 'lamp.dark always', 'lamp.bright dimmed', 'lamp.bright smashed'];
