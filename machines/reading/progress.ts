import { assign, sendParent, sendTo, setup, type EventObject } from 'xstate';
import type { Problem } from '../model/problem.ts';
import type { KnownPlace, PlaceCommand, Position, ProgressInput, ProgressKey, SaveOutcome } from '../model/reading/reading.ts';
import { channelPort, outputIn, problemIn, requestPort } from '../ports.ts';
import { connectionPort, type ConnectionNews } from './connection.ts';

type Context = ProgressKey &
  Pick<ProgressInput, 'known' | 'offered' | 'earlier'> & {
    position: Position | null;
    /** The answer to the save that found another device ahead, until the customer has chosen. */
    conflict: SaveOutcome | null;
    /** Milliseconds after which the server takes positions again, of its last refusal. */
    retryDelay: number | null;
    /** Saves that have failed one after another; the wait grows with them. */
    failures: number;
  };

const retryAfterOf = (problem: Problem): number | undefined =>
  problem.kind === 'refused' ? problem.retryAfterSeconds : undefined;

const keyOf = ({ titleId, contextKey }: ProgressKey): ProgressKey => ({ titleId, contextKey });

const keptIn = ({ event }: { event: { position: Position } }): Position => event.position;
const moves = [
  { type: 'keepPosition', params: keptIn },
  { type: 'rememberMove', params: keptIn },
] as const;

/**
 * Saves the position in a title on the server: soon after each move, at once when the page goes
 * away, and before the viewer is closed. This browser keeps it as well, until the server has it:
 * a save that failed is repeated, and one that is left over is sent at the next visit. Where
 * another device has read on, nothing is saved until the customer has chosen between the places.
 * After a rate limit the latest position is sent when the server takes it again, and not before.
 */
export const progressMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'position.moved'; position: Position }
      | { type: 'place.taken' }
      | { type: 'place.dismissed' }
      | { type: 'earlier.chosen'; savedAt: string }
      | ConnectionNews
      | { type: 'page.hidden' }
      | { type: 'close' };
    input: ProgressInput;
  },
  actors: {
    /** The request continues when the page closes. A save that fails is tried again. */
    saveProgress: requestPort<SaveOutcome, ProgressKey & { position: Position | null; known: KnownPlace }>(),
    /** Keeps the place in this browser. */
    memory: channelPort<PlaceCommand, EventObject>(),
    connection: connectionPort(),
  },
  actions: {
    keepPosition: assign({ position: (_, position: Position) => position }),
    rememberMove: sendTo('memory', ({ context }, position: Position) => ({
      type: 'place.moved',
      ...keyOf(context),
      position,
      known: context.known,
    })),
    keepSaved: assign({
      known: (_, { known }: SaveOutcome) => known,
      earlier: (_, { earlier }: SaveOutcome) => earlier,
      failures: 0,
    }),
    rememberSent: sendTo('memory', ({ context }, { known }: SaveOutcome) => ({
      type: 'place.sent',
      ...keyOf(context),
      position: context.position,
      known,
    })),
    // A place that is kept until then stays based on the version that was known before.
    keepConflict: assign({ conflict: (_, conflict: SaveOutcome) => conflict }),
    endConflict: assign({
      known: ({ context }) => context.conflict?.known ?? context.known,
      earlier: ({ context }) => context.conflict?.earlier ?? context.earlier,
      conflict: null,
    }),
    goToNewer: sendParent(({ context }) => ({ type: 'place.wanted', place: context.conflict?.newer?.position })),
    goToOffered: sendParent(({ context }) => ({ type: 'place.wanted', place: context.offered?.position })),
    goToEarlier: sendParent(({ context }, savedAt: string) => ({
      type: 'place.wanted',
      place: context.earlier.find((each) => each.savedAt === savedAt)?.position,
    })),
    dropOffered: assign({ offered: null }),
    rememberAnswer: sendTo('memory', ({ context }) => ({ type: 'place.answered', ...keyOf(context) })),
    keepRetryDelay: assign({ retryDelay: (_, problem: Problem) => (retryAfterOf(problem) ?? 0) * 1000 }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
  },
  guards: {
    isRateLimited: (_, problem: Problem) => retryAfterOf(problem) !== undefined,
    isUnsent: ({ context }) => context.position !== null,
    isOffered: ({ context }) => context.offered !== null,
    isConflict: (_, { newer }: SaveOutcome) => newer !== null,
    isEarlier: ({ context }, savedAt: string) => context.earlier.some((each) => each.savedAt === savedAt),
  },
  delays: {
    saveSoon: 800,
    closeLimit: 2000,
    takenAgain: ({ context }) => context.retryDelay ?? 0,
    /** 5 s, then twice as long each time, at most a minute. */
    tryAgain: ({ context }) => Math.min(2500 * 2 ** context.failures, 60_000),
  },
}).createMachine({
  id: 'progress',
  context: ({ input: { unsent, titleId, contextKey, known, offered, earlier } }) => ({
    titleId,
    contextKey,
    known,
    offered,
    earlier,
    position: unsent,
    conflict: null,
    failures: 0,
    retryDelay: null,
  }),
  invoke: { id: 'memory', src: 'memory' },
  on: {
    'place.taken': { guard: 'isOffered', actions: ['goToOffered', 'dropOffered', 'rememberAnswer'] },
    'place.dismissed': { guard: 'isOffered', actions: ['dropOffered', 'rememberAnswer'] },
    'earlier.chosen': {
      guard: { type: 'isEarlier', params: ({ event }) => event.savedAt },
      actions: { type: 'goToEarlier', params: ({ event }) => event.savedAt },
    },
  },
  initial: 'arriving',
  states: {
    arriving: { always: [{ guard: 'isUnsent', target: 'saving' }, { target: 'saved' }] },
    saved: {
      on: {
        'position.moved': { target: 'moved', actions: moves },
        close: 'closed',
      },
    },
    moved: {
      on: {
        'position.moved': { target: 'moved', reenter: true, actions: moves },
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
        input: ({ context }) => ({ ...keyOf(context), position: context.position, known: context.known }),
        onDone: [
          {
            guard: { type: 'isConflict', params: outputIn },
            target: 'conflict',
            actions: { type: 'keepConflict', params: outputIn },
          },
          {
            target: 'saved',
            actions: [
              { type: 'rememberSent', params: outputIn },
              { type: 'keepSaved', params: outputIn },
            ],
          },
        ],
        onError: [
          {
            guard: { type: 'isRateLimited', params: problemIn },
            target: 'delayed',
            actions: { type: 'keepRetryDelay', params: problemIn },
          },
          { target: 'unsaved', meta: { spec: ['S8.progress'] }, actions: 'countFailure' },
        ],
      },
      on: {
        'position.moved': { target: 'moved', actions: moves },
        close: 'closing',
      },
    },
    unsaved: {
      invoke: { id: 'connection', src: 'connection' },
      on: {
        'position.moved': { target: 'moved', actions: moves },
        'connection.returned': 'saving',
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { tryAgain: 'saving' },
    },
    delayed: {
      on: {
        'position.moved': { actions: moves },
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { takenAgain: 'saving' },
    },
    /** Another device has read on: its place is offered, this one kept in this browser alone. */
    conflict: {
      on: {
        'position.moved': { actions: moves },
        'place.taken': { target: 'saved', actions: ['goToNewer', 'endConflict'] },
        'place.dismissed': { target: 'saving', actions: 'endConflict' },
        close: 'closed',
      },
    },
    closing: {
      tags: 'busy',
      invoke: {
        id: 'saveLast',
        src: 'saveProgress',
        input: ({ context }) => ({ ...keyOf(context), position: context.position, known: context.known }),
        onDone: [
          { guard: { type: 'isConflict', params: outputIn }, target: 'closed' },
          { target: 'closed', actions: { type: 'rememberSent', params: outputIn } },
        ],
        onError: 'closed',
      },
      after: { closeLimit: 'closed' },
    },
    closed: { type: 'final' },
  },
});
