import { assign, setup } from 'xstate';
import type { Position } from '../model/reading.ts';
import { requestPort } from '../ports.ts';

/** `contextKey` names what the position is in: the item's id, or the medium for a whole book. */
export type Place = { titleId: string; contextKey: string };

type Context = { place: Place; position: Position | null };

/**
 * Keeps the place in a title on the server: soon after each move, at once when the page goes away, and before the
 * viewer is closed. A failed save is swallowed; the next move tries again.
 */
export const progressMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'position.moved'; position: Position } | { type: 'page.hidden' } | { type: 'close' };
    input: Place;
  },
  actors: {
    /** The request continues when the page closes. A failure changes nothing: the machine ignores it. */
    saveProgress: requestPort<null, Place & { position: Position | null }>(),
  },
  actions: {
    keepPosition: assign({ position: (_, position: Position) => position }),
  },
  delays: { saveSoon: 800, closeLimit: 2000 },
}).createMachine({
  id: 'progress',
  context: ({ input }) => ({ place: input, position: null }),
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
        input: ({ context }) => ({ ...context.place, position: context.position }),
        onDone: 'saved',
        onError: { target: 'saved', meta: { spec: ['S8.progress'] } },
      },
      on: {
        'position.moved': { target: 'moved', actions: { type: 'keepPosition', params: ({ event }) => event.position } },
        close: 'closing',
      },
    },
    closing: {
      tags: 'busy',
      invoke: {
        id: 'saveLast',
        src: 'saveProgress',
        input: ({ context }) => ({ ...context.place, position: context.position }),
        onDone: 'closed',
        onError: 'closed',
      },
      after: { closeLimit: 'closed' },
    },
    closed: { type: 'final' },
  },
});
