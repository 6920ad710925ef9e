import { assign, setup } from 'xstate';
import type { Position, ProgressKey } from '../model/reading.ts';
import { requestPort } from '../ports.ts';

type Context = { progressKey: ProgressKey; position: Position | null };

/**
 * Saves the position in a title on the server: soon after each move, at once when the page goes away, and before the
 * viewer is closed. Nobody is bothered with a save that failed: the next move tries again, and so do
 * the page that goes away and the viewer that is closed.
 */
export const progressMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'position.moved'; position: Position } | { type: 'page.hidden' } | { type: 'close' };
    input: ProgressKey;
  },
  actors: {
    /** The request continues when the page closes. A failure changes nothing: the machine ignores it. */
    saveProgress: requestPort<null, ProgressKey & { position: Position | null }>(),
  },
  actions: {
    keepPosition: assign({ position: (_, position: Position) => position }),
  },
  delays: { saveSoon: 800, closeLimit: 2000 },
}).createMachine({
  id: 'progress',
  context: ({ input }) => ({ progressKey: input, position: null }),
  initial: 'saved',
  states: {
    saved: {
      on: {
        'position.moved': { target: 'moved', actions: { type: 'keepPosition', params: ({ event }) => event.position } },
        close: 'closed',
      },
    },
    moved: {
      on: {
        'position.moved': {
          target: 'moved',
          reenter: true,
          actions: { type: 'keepPosition', params: ({ event }) => event.position },
        },
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { saveSoon: 'saving' },
    },
    saving: {
      meta: { spec: ['S7.viewer/progress-save'] },
      invoke: {
        id: 'saveProgress',
        src: 'saveProgress',
        input: ({ context }) => ({ ...context.progressKey, position: context.position }),
        onDone: 'saved',
        onError: { target: 'unsaved', meta: { spec: ['S8.progress'] } },
      },
      on: {
        'position.moved': { target: 'moved', actions: { type: 'keepPosition', params: ({ event }) => event.position } },
        close: 'closing',
      },
    },
    unsaved: {
      on: {
        'position.moved': { target: 'moved', actions: { type: 'keepPosition', params: ({ event }) => event.position } },
        'page.hidden': 'saving',
        close: 'closing',
      },
    },
    closing: {
      tags: 'busy',
      invoke: {
        id: 'saveLast',
        src: 'saveProgress',
        input: ({ context }) => ({ ...context.progressKey, position: context.position }),
        onDone: 'closed',
        onError: 'closed',
      },
      after: { closeLimit: 'closed' },
    },
    closed: { type: 'final' },
  },
});
