import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { getProblem, requestPort } from '../ports.ts';

/** Downloads the customer's personal data as a file. */
export const dataDownloadMachine = setup({
  types: {} as {
    context: { problem: Problem | null; saved: boolean };
    events: { type: 'download.pressed' };
  },
  actors: {
    /** Fetches the data and lets the browser save it as a file. */
    saveData: requestPort<object>(),
  },
  actions: {
    restart: assign({ problem: null, saved: false }),
    keepSaved: assign({ saved: true }),
    keepProblem: keepProblem(),
  },
}).createMachine({
  id: 'dataDownload',
  context: { problem: null, saved: false },
  initial: 'ready',
  states: {
    ready: { on: { 'download.pressed': { target: 'preparing', actions: 'restart' } } },
    preparing: {
      tags: 'busy',
      invoke: {
        id: 'saveData',
        src: 'saveData',
        onDone: { target: 'ready', actions: 'keepSaved' },
        onError: { target: 'ready', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
  },
});
