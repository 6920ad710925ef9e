import { assign, sendParent, setup } from 'xstate';
import type { FlowInput, FlowNews } from './model/flow.ts';
import type { Problem } from './model/problem.ts';
import type { Route } from './model/route.ts';
import type { SortOption } from './model/store.ts';
import type { ListType, TitlePage } from './model/title.ts';
import { isMissing, outputIn, problemIn, requestPort } from './ports.ts';

/** What a list route asks for; `category` is an Id, a TagId or a path name, resolved against the tree by the port. */
export type ListQuery = {
  type: ListType;
  category: string | null;
  search: string;
  sort: string;
  cursor: string | null;
};

/** A page of the list, with the category's own name when the list has one. */
export type ListPage = TitlePage & { categoryName: string | null };

type Context = {
  query: ListQuery;
  page: ListPage | null;
  sortOptions: SortOption[];
  problem: Problem | null;
};

const listQuery = (route: Route): ListQuery => ({
  type: (route.params['type'] ?? 'all') as ListType,
  category: route.params['category'] ?? null,
  search: route.query['search'] ?? '',
  sort: route.query['sort'] ?? '',
  cursor: null,
});

const pathWith = (route: Route, name: string, value: string): string => {
  const query = new Map(Object.entries(route.query));
  if (value === '') query.delete(name);
  else query.set(name, value);
  const text = [...query].map(([key, part]) => `${encodeURIComponent(key)}=${encodeURIComponent(part)}`).join('&');
  const path = route.path.split('?')[0] ?? '/';
  return text === '' ? path : `${path}?${text}`;
};

/** A list of titles: by type, category, search and sort, all of it in the URL; further pages on demand. */
export const catalogueMachine = setup({
  types: {} as {
    context: Context & { route: Route };
    events:
      | FlowNews
      | { type: 'retry.pressed' }
      | { type: 'more.requested' }
      | { type: 'sort.chosen'; sort: string }
      | { type: 'search.submitted'; search: string };
    input: FlowInput;
  },
  actors: {
    /** Rejects with `refused not_found` for an unknown category. */
    titles: requestPort<ListPage, ListQuery>(),
  },
  actions: {
    keepRoute: assign({ route: (_, route: Route) => route, query: (_, route: Route) => listQuery(route) }),
    keepPage: assign({ page: (_, page: ListPage) => page, problem: null }),
    appendPage: assign({
      page: ({ context }, page: ListPage) => ({ ...page, titles: [...(context.page?.titles ?? []), ...page.titles] }),
      problem: null,
    }),
    keepProblem: assign({ problem: (_, problem: Problem) => problem }),
    goSorted: sendParent(({ context }, sort: string) => ({
      type: 'go',
      to: pathWith(context.route, 'sort', sort),
      replace: true,
    })),
    goSearched: sendParent(({ context }, search: string) => ({
      type: 'go',
      to: pathWith(context.route, 'search', search),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isEmpty: (_, page: ListPage) => page.titles.length === 0,
    hasMore: ({ context }) => context.page?.next != null,
  },
}).createMachine({
  id: 'catalogue',
  context: ({ input }) => ({
    route: input.route,
    query: listQuery(input.route),
    page: null,
    sortOptions: input.store.allTitlesSortOptions,
    problem: null,
  }),
  on: {
    'route.changed': { target: '.loading', actions: { type: 'keepRoute', params: ({ event }) => event.route } },
    'sort.chosen': { actions: { type: 'goSorted', params: ({ event }) => event.sort } },
    'search.submitted': { actions: { type: 'goSearched', params: ({ event }) => event.search } },
  },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.titles'] },
      tags: 'busy',
      invoke: {
        id: 'titles',
        src: 'titles',
        input: ({ context }) => context.query,
        onDone: [
          {
            guard: { type: 'isEmpty', params: outputIn },
            target: 'empty',
            actions: { type: 'keepPage', params: outputIn },
          },
          { target: 'shown', actions: { type: 'keepPage', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    shown: {
      meta: { spec: ['S2./all'] },
      initial: 'resting',
      states: {
        resting: { on: { 'more.requested': { guard: 'hasMore', target: 'loadingMore' } } },
        loadingMore: {
          tags: 'busy',
          invoke: {
            id: 'moreTitles',
            src: 'titles',
            input: ({ context }) => ({ ...context.query, cursor: context.page?.next ?? null }),
            onDone: { target: 'resting', actions: { type: 'appendPage', params: outputIn } },
            onError: { target: 'moreFailed', actions: { type: 'keepProblem', params: problemIn } },
          },
        },
        moreFailed: { on: { 'more.requested': 'loadingMore' } },
      },
    },
    empty: {},
    notFound: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
