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

/**
 * A list with the part of its titles that is around the window; `count` titles have arrived in all.
 */
export type List = ListAbout & ListPart & { count: number; hasMore: boolean };

export type ListCommand =
  | { type: 'list.ask'; query: ListQuery }
  /**
   * Asks for the titles from place `from` up to, but not including, `to`: those that are here now,
   * the others as they arrive.
   */
  | { type: 'list.look'; from: number; to: number }
  | { type: 'list.goOn' };

type Arrived = ListPart & { type: 'titles.arrived'; about: ListAbout; count: number };

export type ListFact =
  | Arrived
  /** `leftOut` titles could not be read; the number is for readers of the visit's record. */
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
export const none: Places = { first: 0, last: 0 };

/** The ports, actions and guards of a list of titles. */
export const catalogueSetup = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    /**
     * The list that was asked for last; fails with `refused not_found` for one that the store does
     * not have.
     */
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
    /** Categories are named by their tree, which has its names in every language. */
    isNamedByList: ({ context }) => ['catalog', 'titleset'].includes(context.query.of.kind),
  },
});
