import { assign, sendParent, setup } from 'xstate';
import type { Problem } from '../model/problem.ts';
import { connectionPort, mayContinue, type ConnectionNews } from './connection.ts';

type Context = {
  /** Why the title does not continue. */
  problem: Problem | null;
  /** The customer has closed the message; the title continues by itself all the same. */
  isHidden: boolean;
};

/**
 * An open title that cannot continue, since the next chapter, page or part did not come; the page
 * or picture stays. Asks its player to continue when the connection returns, every few seconds, and
 * when the customer presses: `continuation.wanted`.
 */
export const interruptionMachine = setup({
  types: {} as {
    context: Context;
    events:
      | { type: 'interrupted'; problem: Problem }
      | { type: 'continued' }
      | { type: 'continue.pressed' }
      | { type: 'interruption.dismissed' }
      | ConnectionNews;
  },
  actors: {
    connection: connectionPort(),
  },
  actions: {
    keepProblem: assign({ problem: (_, problem: Problem) => problem }),
    forgetProblem: assign({ problem: null, isHidden: false }),
    showMessage: assign({ isHidden: false }),
    hideMessage: assign({ isHidden: true }),
    askContinuation: sendParent({ type: 'continuation.wanted' }),
  },
  guards: { mayContinue },
  delays: {
    // A server that is back says nothing of it.
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
      entry: 'askContinuation',
      on: {
        // The same as before: a message that is closed stays closed.
        interrupted: { target: 'waiting', actions: { type: 'keepProblem', params: ({ event }) => event.problem } },
      },
    },
  },
});
