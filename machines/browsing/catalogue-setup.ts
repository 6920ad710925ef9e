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
import { parseListQuery, changeListPath, toPriceParameters, parsePriceRange, type ListQuery } from '../model/catalogue/list.ts';
import type { Problem } from '../model/problem.ts';
import type { Route } from '../flows/route.ts';
import type { SortOption } from '../model/store/store.ts';
import { channelPort, isMissing } from '../ports.ts';
import { facetsMachine } from './facets.ts';

/** The data of a list besides its titles. */
export type ListInfo = {
  /** Null if the server did not count the titles. */
  total: number | null;
  /** The search text as the server corrected it; null if titles matched the typed text. */
  meant: string | null;
  categoryName: string | null;
  categoryId: string | null;
  /** The scroll position in pixels to restore when the customer returns. */
  scrollY: number;
  /** The cursor after the titles of a server-rendered screen; missing if no more titles follow. */
  behindFirst?: string;
  /** The list starts at a cursor, so the absolute positions of its titles are unknown. */
  isPart?: true;
};

/**
 * A list with the loaded titles around the visible ones; `count` titles have been loaded in all.
 */
export type TitleList = ListInfo & ListSlice & { count: number; hasMore: boolean };

export type ListCommand =
  | { type: 'list.request'; query: ListQuery }
  /**
   * Requests the titles at positions `from` (inclusive) to `to` (exclusive): loaded titles arrive
   * at once, the others when they are loaded.
   */
  | { type: 'list.requestRange'; from: number; to: number }
  | { type: 'list.loadMore' };

type ListArrival = ListSlice & { type: 'titles.loaded'; about: ListInfo; count: number };

export type ListFact =
  | ListArrival
  /**
   * `leftOut` is the number of invalid titles that were skipped; only for the trace of the visit.
   */
  | { type: 'list.ended'; about: ListInfo; hasMore: boolean; leftOut?: number }
  | { type: 'list.failed'; problem: Problem }
  /** The URL is a title's, not a list's; `path` is the path of the title's page. */
  | { type: 'title.found'; path: string };

type Context = {
  route: Route;
  query: ListQuery;
  page: TitleList | null;
  /** The positions that were visible when they were last near the end of the list. */
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
  | ({ type: 'visibleRange.changed' } & VisibleRange)
  | { type: 'sort.chosen'; sort: string }
  | { type: 'price.submitted'; from: string; to: string }
  /** New values for the URL's query; an empty value removes its parameter. */
  | { type: 'filter.chosen'; changes: Record<string, string> };

const emptySlice: ListSlice = { from: 0, titles: [] };
export const noRange: VisibleRange = { first: 0, last: 0 };

/** The ports, actions and guards of a list of titles. */
export const catalogueSetup = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    /**
     * Loads the list that was requested last; sends `list.failed` with `refused not_found` if the
     * store does not have the list.
     */
    list: channelPort<ListCommand, ListFact>(),
    facets: facetsMachine,
  },
  actions: {
    keepRoute: assign({ route: (_, route: Route) => route, query: (_, route: Route) => parseListQuery(route) }),
    sendRequestToFacets: sendTo('facets', ({ context }) => ({ type: 'list.requested', query: context.query })),
    sendTotalToFacets: sendTo('facets', (_, total: number | null) => ({ type: 'list.counted', total })),
    requestList: sendTo('list', ({ context }) => ({ type: 'list.request', query: context.query })),
    loadMore: sendTo('list', { type: 'list.loadMore' }),
    requestRange: sendTo('list', ({ context }, visible: VisibleRange) => ({
      type: 'list.requestRange',
      ...getFetchRange(context.page ?? emptySlice, visible),
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
      to: changeListPath(context.route, { ...toPriceParameters(parsePriceRange(from, to)), free: '' }),
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
    lacksTitles: ({ context: { page } }, visible: VisibleRange) => page !== null && hasMissingTitles(page, page.count, visible),
    isNearEnd: ({ context: { page } }, visible: VisibleRange) => page !== null && isNearEnd(page.count, visible),
    wantsMore: ({ context: { page } }, visible: VisibleRange) => page?.hasMore === true && isNearEnd(page.count, visible),
    endIsSeen: ({ context: { page, seen } }, hasMore: boolean) => hasMore && page !== null && isNearEnd(page.count, seen),
    hasMore: ({ context }) => context.page?.hasMore === true,
    /** A category's name comes from the category tree instead, which is in the current language. */
    isNamedByList: ({ context }) => ['catalog', 'titleset'].includes(context.query.of.kind),
  },
});
