import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import {
  hasMissingTitles,
  isNearEnd,
  joinSlices,
  getFetchRange,
  type ListSlice,
  type VisibleRange,
} from '../model/catalogue/list-window.ts';
import { parseListQuery, changeListPath, priceParameters, parsePriceRange, type ListQuery } from '../model/catalogue/list.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import type { SortOption } from '../model/store/store.ts';
import { channelPort, isMissing } from '../ports.ts';
import { facetsMachine } from './facets.ts';

/** Data of a list besides its titles. */
export type ListInfo = {
  /** Null if the server did not count the titles. */
  total: number | null;
  /** The search as the server corrected it; null if titles matched the typed text. */
  meant: string | null;
  categoryName: string | null;
  categoryId: string | null;
  /** The scroll position in pixels to restore when the customer returns. */
  scrollY: number;
  /** The cursor after the titles that a server-rendered screen shows; absent if no more follow. */
  behindFirst?: string;
  /** The list starts at a cursor, so the absolute positions of its titles are unknown. */
  isPart?: true;
};

/** A list with its titles around the window; `count` titles have arrived in all. */
export type TitleList = ListInfo & ListSlice & { count: number; hasMore: boolean };

export type ListCommand =
  | { type: 'list.ask'; query: ListQuery }
  /**
   * Requests the titles at positions `from` (inclusive) to `to` (exclusive): loaded ones at once,
   * the others as they arrive.
   */
  | { type: 'list.look'; from: number; to: number }
  | { type: 'list.goOn' };

type ListArrival = ListSlice & { type: 'titles.arrived'; about: ListInfo; count: number };

export type ListFact =
  | ListArrival
  /** `leftOut` titles were invalid and skipped; the number is for the visit's record. */
  | { type: 'list.ended'; about: ListInfo; hasMore: boolean; leftOut?: number }
  | { type: 'list.failed'; problem: Problem }
  /** The address is that of a title, not of a list; `path` is the title's own address. */
  | { type: 'title.found'; path: string };

type Context = {
  route: Route;
  query: ListQuery;
  page: TitleList | null;
  /** The positions that were in the window when it was last near the end of the list. */
  seen: VisibleRange;
  sortOptions: SortOption[];
  hidesFilters: boolean;
  problem: Problem | null;
};

type Events =
  | FlowSignal
  | ListFact
  | { type: 'retry.pressed' }
  | { type: 'more.requested' }
  | ({ type: 'places.seen' } & VisibleRange)
  | { type: 'sort.chosen'; sort: string }
  | { type: 'price.submitted'; from: string; to: string }
  /** New values for the address's query; empty values remove their parameter. */
  | { type: 'filter.chosen'; changes: Record<string, string> };

const emptySlice: ListSlice = { from: 0, titles: [] };
export const noRange: VisibleRange = { first: 0, last: 0 };

/** The ports, actions and guards of a list of titles. */
export const catalogueSetup = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    /**
     * The list that was requested last; fails with `refused not_found` if the store does not have
     * it.
     */
    list: channelPort<ListCommand, ListFact>(),
    facets: facetsMachine,
  },
  actions: {
    keepRoute: assign({ route: (_, route: Route) => route, query: (_, route: Route) => parseListQuery(route) }),
    tellAsked: sendTo('facets', ({ context }) => ({ type: 'list.asked', query: context.query })),
    tellCounted: sendTo('facets', (_, total: number | null) => ({ type: 'list.counted', total })),
    askList: sendTo('list', ({ context }) => ({ type: 'list.ask', query: context.query })),
    goOn: sendTo('list', { type: 'list.goOn' }),
    look: sendTo('list', ({ context }, seen: VisibleRange) => ({
      type: 'list.look',
      ...getFetchRange(context.page ?? emptySlice, seen),
    })),
    keepSeen: assign({ seen: (_, { first, last }: VisibleRange) => ({ first, last }) }),
    keepList: assign({
      seen: noRange,
      page: (_, { about, count, from, titles }: ListArrival) => ({ ...about, from, titles, count, hasMore: false }),
      problem: null,
    }),
    keepMore: assign({
      page: ({ context }, { about, count, from, titles }: ListArrival) => ({
        ...about,
        ...joinSlices(context.page ?? emptySlice, { from, titles }),
        count,
        hasMore: false,
      }),
    }),
    keepEnd: assign({
      page: ({ context }, { about, hasMore }: { about: ListInfo; hasMore: boolean }) => ({
        count: 0,
        ...emptySlice,
        ...context.page,
        ...about,
        hasMore,
      }),
      problem: null,
    }),
    forgetList: assign({ page: null }),
    keepProblem: keepProblem(),
    goSorted: sendParent(({ context }, sort: string) => ({
      type: 'go',
      to: changeListPath(context.route, { sort }),
      replace: true,
    })),
    goPriced: sendParent(({ context }, { from, to }: { from: string; to: string }) => ({
      type: 'go',
      to: changeListPath(context.route, { ...priceParameters(parsePriceRange(from, to)), free: '' }),
      replace: false,
    })),
    goFiltered: sendParent(({ context }, changes: Record<string, string>) => ({
      type: 'go',
      to: changeListPath(context.route, changes),
      replace: false,
    })),
    goTitle: sendParent((_, path: string) => ({ type: 'go', to: path, replace: true })),
  },
  guards: {
    isMissing,
    lacksTitles: ({ context: { page } }, seen: VisibleRange) => page !== null && hasMissingTitles(page, page.count, seen),
    isNearEnd: ({ context: { page } }, seen: VisibleRange) => page !== null && isNearEnd(page.count, seen),
    wantsMore: ({ context: { page } }, seen: VisibleRange) => page?.hasMore === true && isNearEnd(page.count, seen),
    endIsSeen: ({ context: { page, seen } }, hasMore: boolean) => hasMore && page !== null && isNearEnd(page.count, seen),
    hasMore: ({ context }) => context.page?.hasMore === true,
    /** Categories get their name from the category tree, which has it in every language. */
    isNamedByList: ({ context }) => ['catalog', 'titleset'].includes(context.query.of.kind),
  },
});
