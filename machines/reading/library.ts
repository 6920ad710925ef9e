import { assign, sendParent, setup } from 'xstate';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import { libraryPath, viewerPath } from '../model/paths.ts';
import type { Problem } from '../model/problem.ts';
import type { Library, OwnedTitle, Refund } from '../model/buying/purchase.ts';
import type { Route } from '../flows/route.ts';
import type { SortOption } from '../model/store/store.ts';
import type { ListType } from '../model/catalogue/title.ts';
import { getOutput, requestPort } from '../ports.ts';

export type LibraryQuery = { type: ListType; sort: string };

type Context = {
  query: LibraryQuery;
  titles: OwnedTitle[];
  left: Library['left'];
  refunds: Refund[];
  sortOptions: SortOption[];
  problem: Problem | null;
};

const toLibraryQuery = (route: Route): LibraryQuery => ({
  type: (route.params['type'] ?? 'all') as ListType,
  sort: route.query['sort'] ?? '',
});

/** My Library: the customer's titles with their progress, and recent refunds. */
export const libraryMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowSignal
      | { type: 'retry.pressed' }
      | { type: 'sort.chosen'; sort: string }
      | { type: 'title.opened'; instanceId: string };
    input: FlowInput;
  },
  actors: {
    purchases: requestPort<Library, LibraryQuery>(),
  },
  actions: {
    keepQuery: assign({ query: (_, route: Route) => toLibraryQuery(route) }),
    keepLibrary: assign((_, { titles, left, refunds = [] }: Library) => ({ titles, left, refunds, problem: null })),
    keepProblem: keepProblem(),
    goSorted: sendParent(({ context }, sort: string) => ({
      type: 'go',
      to: libraryPath(context.query.type, sort),
      replace: true,
    })),
    goRead: sendParent((_, instanceId: string) => ({
      type: 'go',
      to: viewerPath(instanceId),
      replace: false,
    })),
  },
  guards: {
    isEmpty: (_, { titles }: Library) => titles.length === 0,
  },
}).createMachine({
  id: 'library',
  context: ({ input }) => ({
    query: toLibraryQuery(input.route),
    titles: [],
    left: null,
    refunds: [],
    sortOptions: input.store.myLibrarySortOptions,
    problem: null,
  }),
  on: {
    'route.changed': { target: '.loading', actions: { type: 'keepQuery', params: ({ event }) => event.route } },
    'sort.chosen': { actions: { type: 'goSorted', params: ({ event }) => event.sort } },
  },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.user/purchases'] },
      tags: 'busy',
      invoke: {
        id: 'purchases',
        src: 'purchases',
        input: ({ context }) => context.query,
        onDone: [
          {
            guard: { type: 'isEmpty', params: getOutput },
            target: 'empty',
            actions: { type: 'keepLibrary', params: getOutput },
          },
          { target: 'shown', actions: { type: 'keepLibrary', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    shown: {
      meta: { spec: ['S2./mylibrary'] },
      on: { 'title.opened': { actions: { type: 'goRead', params: ({ event }) => event.instanceId } } },
    },
    empty: {},
    failed,
  },
});
