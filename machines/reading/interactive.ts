import { assign, sendTo, setup, type EventObject } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { InteractiveFact, InteractiveInput, ProgressKey } from '../model/reading.ts';
import { channelPort } from '../ports.ts';
import { progressMachine } from './progress.ts';

type Context = InteractiveInput & { progressKey: ProgressKey; problem: Problem | null };
type Moved = Extract<InteractiveFact, { type: 'interactive.moved' }>;

/** Playing an interactive title, which runs walled off from the shop and only reports where the customer is. */
export const interactiveMachine = setup({
  types: {} as {
    context: Context;
    events: InteractiveFact | { type: 'retry.pressed' } | { type: 'close.pressed' } | { type: 'page.hidden' };
    input: { interactive: InteractiveInput; progressKey: ProgressKey };
  },
  actors: {
    progress: progressMachine,
    /** The sandboxed iframe; its messages are checked before they become facts. */
    iframe: channelPort<EventObject, InteractiveFact, InteractiveInput>(),
  },
  actions: {
    keepNode: assign({ start: (_, { node }: Moved) => node }),
    savePosition: sendTo('progress', (_, { node, totalProgression }: Moved) => ({
      type: 'position.moved',
      position: { node, totalProgression },
    })),
    keepProblem: keepProblem(),
    tellProgress: sendTo('progress', ({ event }) => event),
    closeProgress: sendTo('progress', { type: 'close' }),
  },
}).createMachine({
  id: 'interactive',
  context: ({ input: { interactive, progressKey } }) => ({ ...interactive, progressKey, problem: null }),
  invoke: { id: 'progress', src: 'progress', input: ({ context }) => context.progressKey, onDone: '.closed' },
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
            { type: 'savePosition', params: ({ event }) => event },
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
