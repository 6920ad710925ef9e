import { assign, sendTo, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { InteractiveFact, InteractiveInput } from '../model/reading.ts';
import { channelPort } from '../ports.ts';
import { progressMachine, type Place } from './progress.ts';

type Context = InteractiveInput & { place: Place; problem: Problem | null };
type Moved = Extract<InteractiveFact, { type: 'interactive.moved' }>;

/** Playing an interactive title, which runs walled off from the shop and only reports where the customer is. */
export const interactiveMachine = setup({
  types: {} as {
    context: Context;
    events: InteractiveFact | { type: 'retry.pressed' } | { type: 'close.pressed' } | { type: 'page.hidden' };
    input: { interactive: InteractiveInput; place: Place };
  },
  actors: {
    progress: progressMachine,
    /** The sandboxed iframe; its messages are checked before they become facts. */
    iframe: channelPort<EventObject, InteractiveFact, InteractiveInput>(),
  },
  actions: {
    keepNode: assign({ start: (_, { node }: Moved) => node }),
    keepPlace: sendTo('progress', (_, { node, totalProgression }: Moved) => ({
      type: 'position.moved',
      position: { node, totalProgression },
    })),
    keepProblem: keepProblem(),
    tellProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
}).createMachine({
  id: 'interactive',
  context: ({ input: { interactive, place } }) => ({ ...interactive, place, problem: null }),
  invoke: { id: 'progress', src: 'progress', input: ({ context }) => context.place, onDone: '.closed' },
  on: {
    'page.hidden': { actions: 'tellProgress' },
    'close.pressed': '.closing',
  },
  initial: 'running',
  states: {
    running: {
      meta: { spec: ['S2./viewer'] },
      invoke: { id: 'iframe', src: 'iframe', input: ({ context: { url, start } }) => ({ url, start }) },
      on: {
        'interactive.failed': {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => event.problem },
        },
        'interactive.moved': {
          target: '.open',
          actions: [
            { type: 'keepNode', params: ({ event }) => event },
            { type: 'keepPlace', params: ({ event }) => event },
          ],
        },
      },
      initial: 'opening',
      states: {
        opening: { tags: 'busy', on: { 'interactive.ready': 'open' } },
        open: { on: { 'interactive.ended': 'ended' } },
        ended: {},
      },
    },
    failed: { on: { 'retry.pressed': 'running' } },
    closing: { tags: 'busy', entry: 'closeProgress' },
    closed: { type: 'final' },
  },
});
