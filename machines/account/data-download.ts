import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { problemIn, requestPort } from '../ports.ts';

/** What the shop keeps about the customer, as a file for them. */
export const dataDownloadMachine = setup({
  types: {} as {
    context: { problem: Problem | null; saved: boolean };
    events: { type: 'download.pressed' };
  },
  actors: {
    /** Fetches it and hands it to the browser as a file. */
    saveData: requestPort<object>(),
  },
  actions: {
    startAnew: assign({ problem: null, saved: false }),
    keepSaved: assign({ saved: true }),
    keepProblem: keepProblem(),
  },
}).createMachine({
  id: 'dataDownload',
  context: { problem: null, saved: false },
  initial: 'ready',
  states: {
    ready: { on: { 'download.pressed': { target: 'preparing', actions: 'startAnew' } } },
    preparing: {
      tags: 'busy',
      invoke: {
        id: 'saveData',
        src: 'saveData',
        onDone: { target: 'ready', actions: 'keepSaved' },
        onError: { target: 'ready', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
  },
});
