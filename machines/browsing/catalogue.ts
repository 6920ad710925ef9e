import { parseListQuery } from '../model/catalogue/list.ts';
import type { Problem } from '../model/problem.ts';
import { catalogueSetup, noRange } from './catalogue-setup.ts';

const getEventProblem = ({ event }: { event: { problem: Problem } }): Problem => event.problem;

/**
 * A list of titles by kind, category, search, price and sort order, all of which are in the URL.
 * More titles load on scrolling.
 */
export const catalogueMachine = catalogueSetup.createMachine({
  id: 'catalogue',
  context: ({ input }) => ({
    route: input.route,
    query: parseListQuery(input.route),
    page: null,
    seen: noRange,
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
      actions: [{ type: 'keepRoute', params: ({ event }) => event.route }, 'sendRequestToFacets'],
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
      entry: 'requestList',
      on: {
        'titles.loaded': {
          target: 'shown',
          actions: [
            { type: 'keepList', params: ({ event }) => event },
            { type: 'sendTotalToFacets', params: ({ event }) => event.about.total },
          ],
        },
        'list.ended': {
          target: 'empty',
          actions: ['forgetList', { type: 'keepEnd', params: ({ event }) => event }, { type: 'sendTotalToFacets', params: 0 }],
        },
        'list.failed': [
          { guard: { type: 'isMissing', params: getEventProblem }, target: 'notFound' },
          { target: 'failed', actions: { type: 'keepProblem', params: getEventProblem } },
        ],
        'title.found': { target: 'redirecting', actions: { type: 'goTitle', params: ({ event }) => event.path } },
      },
    },
    shown: {
      meta: { spec: ['S2./all'] },
      on: {
        'titles.loaded': { actions: { type: 'keepMore', params: ({ event }) => event } },
        'visibleRange.changed': {
          guard: { type: 'lacksTitles', params: ({ event }) => event },
          actions: { type: 'requestRange', params: ({ event }) => event },
        },
      },
      initial: 'arriving',
      states: {
        arriving: {
          on: {
            'visibleRange.changed': {
              guard: { type: 'isNearEnd', params: ({ event }) => event },
              actions: [
                { type: 'keepSeen', params: ({ event }) => event },
                { type: 'requestRange', params: ({ event }) => event },
              ],
            },
            'list.ended': [
              {
                guard: { type: 'endIsSeen', params: ({ event }) => event.hasMore },
                actions: [{ type: 'keepEnd', params: ({ event }) => event }, 'loadMore'],
              },
              { target: 'resting', actions: { type: 'keepEnd', params: ({ event }) => event } },
            ],
            'list.failed': { target: 'moreFailed', actions: { type: 'keepProblem', params: getEventProblem } },
          },
        },
        resting: {
          on: {
            'more.requested': { guard: 'hasMore', target: 'arriving', actions: 'loadMore' },
            'visibleRange.changed': {
              guard: { type: 'wantsMore', params: ({ event }) => event },
              target: 'arriving',
              actions: [
                { type: 'keepSeen', params: ({ event }) => event },
                { type: 'requestRange', params: ({ event }) => event },
                'loadMore',
              ],
            },
          },
        },
        moreFailed: { on: { 'more.requested': { target: 'arriving', actions: 'loadMore' } } },
      },
    },
    empty: {},
    notFound: {},
    failed: { on: { 'retry.pressed': { target: 'loading', actions: 'sendRequestToFacets' } } },
    /** The URL is a title's: waits for the navigation to the title's page. */
    redirecting: { tags: 'busy' },
  },
});
