import type { Position } from '../model/reading/reading.ts';
import { outputIn, problemIn } from '../ports.ts';
import { progressSetup, keyOf } from './progress-setup.ts';

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
export const progressMachine = progressSetup.createMachine({
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
