import { assign, sendParent, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import { getCategoryReference, type Route } from '../flows/route.ts';
import type { Category } from '../model/catalogue/title.ts';
import { getOutput, requestPort } from '../ports.ts';

type Context = {
  problem: Problem | null;
  /** The category in the path of the current list; null in any other path. */
  opened: string | null;
  /** The category whose sub-categories were requested last; null before the first request. */
  asked: string | null;
  /** The server sent no sub-categories: they are loaded when their category is opened. */
  isFlat: boolean;
};

/**
 * The store's category tree. It loads in parallel: the rest of the shop neither waits for it nor
 * fails with it.
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
    /** The tree with the sub-categories of the opened category. */
    treeAround: requestPort<Category[], string>(),
  },
  actions: {
    keepProblem: keepProblem(),
    keepOpened: assign({ opened: (_, route: Route) => getCategoryReference(route) }),
    keepAsked: assign({ asked: ({ context }) => context.opened }),
    keepShape: assign({
      isFlat: (_, tree: Category[]) => tree.length > 0 && tree.every(({ children }) => children.length === 0),
    }),
    reportTree: sendParent((_, categories: Category[]) => ({ type: 'categories.loaded', categories })),
  },
  guards: {
    isUnasked: ({ context: { isFlat, opened, asked } }) => isFlat && opened !== null && opened !== asked,
  },
}).createMachine({
  id: 'categories',
  context: ({ input: { route } }) => ({
    problem: null,
    opened: route && getCategoryReference(route),
    asked: null,
    isFlat: false,
  }),
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
        // The tree remains unchanged; the category's list shows its own failure.
        onError: 'listed',
      },
    },
    failed,
  },
});
