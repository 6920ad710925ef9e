import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { StoreProperties } from '../model/store/store.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = { store: StoreProperties | null; problem: Problem | null };

/**
 * Opens the store: loads its properties, or finds that it does not exist or that the server is
 * unreachable.
 */
export const bootMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'retry.pressed' };
    output: { store: StoreProperties | null; supportEmail: string };
  },
  actors: {
    /** Rejects with `invalidStore` for status `Invalid` and for a response without ShelfId. */
    storeProperties: requestPort<StoreProperties>(),
  },
  actions: {
    keepStore: assign({ store: (_, store: StoreProperties) => store, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    isInvalidStore: (_, problem: Problem) => problem.kind === 'invalidStore',
  },
}).createMachine({
  id: 'boot',
  context: { store: null, problem: null },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'storeProperties',
        src: 'storeProperties',
        onDone: { target: 'valid', actions: { type: 'keepStore', params: getOutput } },
        onError: [
          {
            guard: { type: 'isInvalidStore', params: getProblem },
            target: 'invalid',
            actions: { type: 'keepProblem', params: getProblem },
          },
          { target: 'unreachable', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    unreachable: { on: { 'retry.pressed': 'loading' } },
    valid: { type: 'final' },
    invalid: { type: 'final' },
  },
  output: ({ context: { store, problem } }) => ({
    store,
    supportEmail: problem?.kind === 'invalidStore' ? (problem.supportEmail ?? '') : '',
  }),
});
