import { assign, sendParent, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { categoryReference, type Route } from '../flows/route.ts';
import type { Category } from '../model/catalogue/title.ts';
import { getOutput, requestPort } from '../ports.ts';

type Context = {
  problem: Problem | null;
  /** The category in the address of the current list; null in any other address. */
  opened: string | null;
  /** The category whose sub-categories were requested last. */
  asked: string | null;
  /** The server sent no sub-categories: those of a category are loaded when it is opened. */
  isFlat: boolean;
};

/**
 * The store's categories. They load beside everything else, which neither waits for them nor fails
 * with them.
 */
export const categoriesMachine = setup({
  types: {} as {
    context: Context;
    input: { route: Route | null };
    events: { type: 'location.changed'; route: Route } | { type: 'retry.pressed' };
  },
  actors: {
    /** The category tree, empty in a store that has none. */
    categoryTree: requestPort<Category[]>(),
    /** The tree with the sub-categories of the category that is opened. */
    treeAround: requestPort<Category[], string>(),
  },
  actions: {
    keepProblem: keepProblem(),
    keepOpened: assign({ opened: (_, route: Route) => categoryReference(route) }),
    keepAsked: assign({ asked: ({ context }) => context.opened }),
    keepShape: assign({
      isFlat: (_, tree: Category[]) => tree.length > 0 && tree.every(({ children }) => children.length === 0),
    }),
    reportTree: sendParent((_, categories: Category[]) => ({ type: 'categories.came', categories })),
  },
  guards: {
    isUnasked: ({ context: { isFlat, opened, asked } }) => isFlat && opened !== null && opened !== asked,
  },
}).createMachine({
  id: 'categories',
  context: ({ input: { route } }) => ({ problem: null, opened: route && categoryReference(route), asked: null, isFlat: false }),
  initial: 'loading',
  on: {
    'location.changed': { actions: { type: 'keepOpened', params: ({ event }) => event.route } },
  },
  states: {
    loading: {
      meta: { spec: ['S7.categories'] },
      tags: 'busy',
      invoke: {
        id: 'categoryTree',
        src: 'categoryTree',
        onDone: {
          target: 'listed',
          actions: [
            { type: 'keepShape', params: getOutput },
            { type: 'reportTree', params: getOutput },
          ],
        },
        onError: toFailed,
      },
    },
    listed: {
      always: { guard: 'isUnasked', target: 'growing', actions: 'keepAsked' },
    },
    growing: {
      meta: { spec: ['S7.categories/sub'] },
      invoke: {
        id: 'treeAround',
        src: 'treeAround',
        input: ({ context }) => context.asked ?? '',
        onDone: { target: 'listed', actions: { type: 'reportTree', params: getOutput } },
        // The list of the category shows its own failure; the tree remains unchanged.
        onError: 'listed',
      },
    },
    failed,
  },
});
