import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { isLacking, isNearEnd, joined, wanted, type ListPart, type Places } from '../model/catalogue/list-window.ts';
import { listQuery, pathWith, priceParameters, pricesIn, type ListQuery } from '../model/catalogue/list.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import type { SortOption } from '../model/store/store.ts';
import { channelPort, isMissing } from '../ports.ts';
import { facetsMachine } from './facets.ts';

/** Facts about a list besides its titles. */
export type ListAbout = {
  /** Null where the titles were not counted. */
  total: number | null;
  /** The search as the server understood it; null where titles were found as it was typed. */
  meant: string | null;
  categoryName: string | null;
  categoryId: string | null;
  /** The page's scroll position, in pixels, to which a customer comes back. */
  scrollY: number;
  /** The cursor behind the titles that a first screen draws; absent where there are no more. */
  behindFirst?: string;
  /** The list begins further on than at its start, so that the places of its titles are unknown. */
  isPart?: true;
};

/** A list with the part of its titles that is around the window; `count` titles have arrived in all. */
export type List = ListAbout & ListPart & { count: number; hasMore: boolean };

export type ListCommand =
  | { type: 'list.ask'; query: ListQuery }
  /** Asks for the titles from place `from` up to, but not including, `to`: those that are here now, the others as they arrive. */
  | { type: 'list.look'; from: number; to: number }
  | { type: 'list.goOn' };

type Arrived = ListPart & { type: 'titles.arrived'; about: ListAbout; count: number };

export type ListFact =
  | Arrived
  /** `leftOut` titles could not be read, for whoever reads the visit's record. */
  | { type: 'list.ended'; about: ListAbout; hasMore: boolean; leftOut?: number }
  | { type: 'list.failed'; problem: Problem }
  /** The address names no list but a title, whose own address is `path`. */
  | { type: 'title.found'; path: string };

type Context = {
  route: Route;
  query: ListQuery;
  page: List | null;
  /** The places that were in the window when it was last near the end of the list. */
  seen: Places;
  sortOptions: SortOption[];
  hidesFilters: boolean;
  problem: Problem | null;
};

type Events =
  | FlowNews
  | ListFact
  | { type: 'retry.pressed' }
  | { type: 'more.requested' }
  | ({ type: 'places.seen' } & Places)
  | { type: 'sort.chosen'; sort: string }
  | { type: 'price.submitted'; from: string; to: string }
  /** Other values of the address's query; empty ones are taken away. */
  | { type: 'filter.chosen'; changes: Record<string, string> };

const nothing: ListPart = { from: 0, titles: [] };
const none: Places = { first: 0, last: 0 };

const problemOf = ({ event }: { event: { problem: Problem } }): Problem => event.problem;

/** A list of titles: by kind, category, search, price and order, all of it in the address; its titles come as it is scrolled. */
export const catalogueMachine = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    /** The list that was asked for last; fails with `refused not_found` for one that the store does not have. */
    list: channelPort<ListCommand, ListFact>(),
    facets: facetsMachine,
  },
  actions: {
    keepRoute: assign({ route: (_, route: Route) => route, query: (_, route: Route) => listQuery(route) }),
    tellAsked: sendTo('facets', ({ context }) => ({ type: 'list.asked', query: context.query })),
    tellCounted: sendTo('facets', (_, total: number | null) => ({ type: 'list.counted', total })),
    askList: sendTo('list', ({ context }) => ({ type: 'list.ask', query: context.query })),
    goOn: sendTo('list', { type: 'list.goOn' }),
    look: sendTo('list', ({ context }, seen: Places) => ({ type: 'list.look', ...wanted(context.page ?? nothing, seen) })),
    keepSeen: assign({ seen: (_, { first, last }: Places) => ({ first, last }) }),
    keepList: assign({
      seen: none,
      page: (_, { about, count, from, titles }: Arrived) => ({ ...about, from, titles, count, hasMore: false }),
      problem: null,
    }),
    keepMore: assign({
      page: ({ context }, { about, count, from, titles }: Arrived) => ({
        ...about,
        ...joined(context.page ?? nothing, { from, titles }),
        count,
        hasMore: false,
      }),
    }),
    keepEnd: assign({
      page: ({ context }, { about, hasMore }: { about: ListAbout; hasMore: boolean }) => ({
        count: 0,
        ...nothing,
        ...context.page,
        ...about,
        hasMore,
      }),
      problem: null,
    }),
    forgetList: assign({ page: null }),
    keepProblem: keepProblem(),
    goSorted: sendParent(({ context }, sort: string) => ({ type: 'go', to: pathWith(context.route, { sort }), replace: true })),
    goPriced: sendParent(({ context }, { from, to }: { from: string; to: string }) => ({
      type: 'go',
      to: pathWith(context.route, { ...priceParameters(pricesIn(from, to)), free: '' }),
      replace: false,
    })),
    goFiltered: sendParent(({ context }, changes: Record<string, string>) => ({
      type: 'go',
      to: pathWith(context.route, changes),
      replace: false,
    })),
    goTitle: sendParent((_, path: string) => ({ type: 'go', to: path, replace: true })),
  },
  guards: {
    isMissing,
    lacksTitles: ({ context: { page } }, seen: Places) => page !== null && isLacking(page, page.count, seen),
    isNearEnd: ({ context: { page } }, seen: Places) => page !== null && isNearEnd(page.count, seen),
    wantsMore: ({ context: { page } }, seen: Places) => page?.hasMore === true && isNearEnd(page.count, seen),
    endIsSeen: ({ context: { page, seen } }, hasMore: boolean) => hasMore && page !== null && isNearEnd(page.count, seen),
    hasMore: ({ context }) => context.page?.hasMore === true,
    /** Categories are named by their tree, which is told in every language. */
    isNamedByList: ({ context }) => ['catalog', 'titleset'].includes(context.query.of.kind),
  },
}).createMachine({
  id: 'catalogue',
  context: ({ input }) => ({
    route: input.route,
    query: listQuery(input.route),
    page: null,
    seen: none,
    sortOptions: input.store.allTitlesSortOptions,
    hidesFilters: input.store.hideFilters,
    problem: null,
  }),
  invoke: [
    { id: 'facets', src: 'facets', input: ({ context: { query, hidesFilters } }) => ({ query, shown: !hidesFilters }) },
    { id: 'list', src: 'list' },
  ],
  on: {
    'route.changed': {
      target: '.loading',
      actions: [{ type: 'keepRoute', params: ({ event }) => event.route }, 'tellAsked'],
    },
    'language.changed': { guard: 'isNamedByList', target: '.loading' },
    'filter.chosen': { actions: { type: 'goFiltered', params: ({ event }) => event.changes } },
    'sort.chosen': { actions: { type: 'goSorted', params: ({ event }) => event.sort } },
    'price.submitted': { actions: { type: 'goPriced', params: ({ event }) => event } },
  },
  initial: 'loading',
  states: {
    loading: {
      meta: { spec: ['S7.titles'] },
      tags: 'busy',
      entry: 'askList',
      on: {
        'titles.arrived': {
          target: 'shown',
          actions: [
            { type: 'keepList', params: ({ event }) => event },
            { type: 'tellCounted', params: ({ event }) => event.about.total },
          ],
        },
        'list.ended': {
          target: 'empty',
          actions: ['forgetList', { type: 'keepEnd', params: ({ event }) => event }, { type: 'tellCounted', params: 0 }],
        },
        'list.failed': [
          { guard: { type: 'isMissing', params: problemOf }, target: 'notFound' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemOf } },
        ],
        'title.found': { target: 'leading', actions: { type: 'goTitle', params: ({ event }) => event.path } },
      },
    },
    shown: {
      meta: { spec: ['S2./all'] },
      on: {
        'titles.arrived': { actions: { type: 'keepMore', params: ({ event }) => event } },
        'places.seen': {
          guard: { type: 'lacksTitles', params: ({ event }) => event },
          actions: { type: 'look', params: ({ event }) => event },
        },
      },
      initial: 'arriving',
      states: {
        arriving: {
          on: {
            'places.seen': {
              guard: { type: 'isNearEnd', params: ({ event }) => event },
              actions: [
                { type: 'keepSeen', params: ({ event }) => event },
                { type: 'look', params: ({ event }) => event },
              ],
            },
            'list.ended': [
              {
                guard: { type: 'endIsSeen', params: ({ event }) => event.hasMore },
                actions: [{ type: 'keepEnd', params: ({ event }) => event }, 'goOn'],
              },
              { target: 'resting', actions: { type: 'keepEnd', params: ({ event }) => event } },
            ],
            'list.failed': { target: 'moreFailed', actions: { type: 'keepProblem', params: problemOf } },
          },
        },
        resting: {
          on: {
            'more.requested': { guard: 'hasMore', target: 'arriving', actions: 'goOn' },
            'places.seen': {
              guard: { type: 'wantsMore', params: ({ event }) => event },
              target: 'arriving',
              actions: [
                { type: 'keepSeen', params: ({ event }) => event },
                { type: 'look', params: ({ event }) => event },
                'goOn',
              ],
            },
          },
        },
        moreFailed: { on: { 'more.requested': { target: 'arriving', actions: 'goOn' } } },
      },
    },
    empty: {},
    notFound: {},
    failed: { on: { 'retry.pressed': { target: 'loading', actions: 'tellAsked' } } },
    /** The address named a title: its page is on its way. */
    leading: { tags: 'busy' },
  },
});
