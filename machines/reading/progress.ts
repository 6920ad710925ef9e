import { assign, setup } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { Position, ProgressKey } from '../model/reading.ts';
import { problemIn, requestPort } from '../ports.ts';

type Context = {
  progressKey: ProgressKey;
  position: Position | null;
  /** Milliseconds after which the server takes positions again, of its last refusal. */
  retryDelay?: number;
};

const retryAfterOf = (problem: Problem): number | undefined =>
  problem.kind === 'refused' ? problem.retryAfterSeconds : undefined;

/**
 * Saves the position in a title on the server: soon after each move, at once when the page goes away, and before the
 * viewer is closed. The customer sees nothing of a save that failed: the next move tries again, and
 * so do the page that goes away and the viewer that is closed. After a rate limit the latest
 * position is sent when the server takes it again, and not before.
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
    keepRetryDelay: assign({ retryDelay: (_, problem: Problem) => (retryAfterOf(problem) ?? 0) * 1000 }),
  },
  guards: { isRateLimited: (_, problem: Problem) => retryAfterOf(problem) !== undefined },
  delays: { saveSoon: 800, closeLimit: 2000, takenAgain: ({ context }) => context.retryDelay ?? 0 },
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
        onError: [
          {
            guard: { type: 'isRateLimited', params: problemIn },
            target: 'delayed',
            actions: { type: 'keepRetryDelay', params: problemIn },
          },
          { target: 'unsaved', meta: { spec: ['S8.progress'] } },
        ],
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
    delayed: {
      on: {
        'position.moved': { actions: { type: 'keepPosition', params: ({ event }) => event.position } },
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { takenAgain: 'saving' },
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
