import { assign, sendParent, setup } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { connectionPort, mayContinue, type ConnectionSignal } from './connection.ts';

type Context = {
  /** The reason why the title does not continue; null while it is not interrupted. */
  problem: Problem | null;
  /** The customer closed the message; the title still continues by itself. */
  isHidden: boolean;
};

/**
 * An open title that is interrupted because the next chapter, page or part failed to load; the page
 * or picture stays. Requests its player to continue (`continuation.requested`) when the connection
 * returns, every few seconds, and when the customer presses the button.
 */
export const interruptionMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'interrupted'; problem: Problem }
      | { type: 'continued' }
      | { type: 'continue.pressed' }
      | { type: 'interruption.dismissed' }
      | ConnectionSignal;
  },
  actors: {
    connection: connectionPort(),
  },
  actions: {
    keepProblem: assign({ problem: (_, problem: Problem) => problem }),
    forgetProblem: assign({ problem: null, isHidden: false }),
    showMessage: assign({ isHidden: false }),
    hideMessage: assign({ isHidden: true }),
    requestContinuation: sendParent({ type: 'continuation.requested' }),
  },
  guards: { mayContinue },
  delays: {
    // Milliseconds between attempts, since no event reports that a server is available again.
    nextTry: 5_000,
  },
}).createMachine({
  id: 'interruption',
  context: { problem: null, isHidden: false },
  initial: 'none',
  on: {
    interrupted: {
      target: '.waiting',
      actions: [{ type: 'keepProblem', params: ({ event }) => event.problem }, 'showMessage'],
    },
    continued: '.none',
    'interruption.dismissed': { actions: 'hideMessage' },
  },
  states: {
    none: { entry: 'forgetProblem' },
    waiting: {
      invoke: { id: 'connection', src: 'connection' },
      after: { nextTry: { guard: 'mayContinue', target: 'trying' } },
      on: {
        'connection.returned': { guard: 'mayContinue', target: 'trying' },
        'continue.pressed': 'trying',
      },
    },
    trying: {
      tags: 'busy',
      entry: 'requestContinuation',
      on: {
        // The retry failed: a message that the customer closed stays closed.
        interrupted: { target: 'waiting', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
      },
    },
  },
});
