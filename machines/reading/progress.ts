import type { Position } from '../model/reading/reading.ts';
import { getOutput, getProblem } from '../ports.ts';
import { progressSetup, toProgressKey } from './progress-setup.ts';

const getPosition = ({ event }: { event: { position: Position } }): Position => event.position;

const moveActions = [
  { type: 'keepPosition', params: getPosition },
  { type: 'rememberMove', params: getPosition },
] as const;

/**
 * Saves the position in a title on the server: soon after each move, at once when the page is
 * hidden, and before the viewer closes. This browser stores the position as well until the server
 * has it: a failed save is retried, and an unsent position is sent at the next visit. If another
 * device has read on, nothing is saved until the customer has chosen a position. After a rate limit
 * the latest position is sent once the server accepts positions again.
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
    'place.accepted': { guard: 'isOffered', actions: ['goToOffered', 'dropOffered', 'rememberAnswer'] },
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
        'position.moved': { target: 'moved', actions: moveActions },
        close: 'closed',
      },
    },
    moved: {
      on: {
        'position.moved': { target: 'moved', reenter: true, actions: moveActions },
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
        input: ({ context }) => ({ ...toProgressKey(context), position: context.position, known: context.known }),
        onDone: [
          {
            guard: { type: 'isConflict', params: getOutput },
            target: 'conflict',
            actions: { type: 'keepConflict', params: getOutput },
          },
          {
            target: 'saved',
            actions: [
              { type: 'rememberSent', params: getOutput },
              { type: 'keepSaved', params: getOutput },
            ],
          },
        ],
        onError: [
          {
            guard: { type: 'isRateLimited', params: getProblem },
            target: 'delayed',
            actions: { type: 'keepRetryDelay', params: getProblem },
          },
          { target: 'unsaved', meta: { spec: ['S8.progress'] }, actions: 'countFailure' },
        ],
      },
      on: {
        'position.moved': { target: 'moved', actions: moveActions },
        close: 'closing',
      },
    },
    unsaved: {
      invoke: { id: 'connection', src: 'connection' },
      on: {
        'position.moved': { target: 'moved', actions: moveActions },
        'connection.returned': 'saving',
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { tryAgain: 'saving' },
    },
    delayed: {
      on: {
        'position.moved': { actions: moveActions },
        'page.hidden': 'saving',
        close: 'closing',
      },
      after: { takenAgain: 'saving' },
    },
    /** Another device has read on: offers its position; this one is stored only in this browser. */
    conflict: {
      on: {
        'position.moved': { actions: moveActions },
        'place.accepted': { target: 'saved', actions: ['goToNewer', 'endConflict'] },
        'place.dismissed': { target: 'saving', actions: 'endConflict' },
        close: 'closed',
      },
    },
    closing: {
      tags: 'busy',
      invoke: {
        id: 'saveLast',
        src: 'saveProgress',
        input: ({ context }) => ({ ...toProgressKey(context), position: context.position, known: context.known }),
        onDone: [
          { guard: { type: 'isConflict', params: getOutput }, target: 'closed' },
          { target: 'closed', actions: { type: 'rememberSent', params: getOutput } },
        ],
        onError: 'closed',
      },
      after: { closeLimit: 'closed' },
    },
    closed: { type: 'final' },
  },
});
