import { sendParent, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { Category } from '../model/title.ts';
import { outputIn, requestPort } from '../ports.ts';

/** The store's categories: they come beside everything else, which neither waits for them nor fails with them. */
export const categoriesMachine = setup({
  types: {} as { context: { problem: Problem | null }; events: { type: 'retry.pressed' } },
  actors: {
    /** The category tree, empty in a store that has none. */
    categoryTree: requestPort<Category[]>(),
  },
  actions: {
    keepProblem: keepProblem(),
    reportTree: sendParent((_, categories: Category[]) => ({ type: 'categories.came', categories })),
  },
}).createMachine({
  id: 'categories',
  context: { problem: null },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.categories'] },
      tags: 'busy',
      invoke: {
        id: 'categoryTree',
        src: 'categoryTree',
        onDone: { target: 'listed', actions: { type: 'reportTree', params: outputIn } },
        onError: fails,
      },
    },
    listed: {},
    failed,
  },
});
