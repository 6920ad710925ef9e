import { assign, setup } from 'xstate';
import type { Facets, ListQuery } from '../model/catalogue/list.ts';
import { getOutput, requestPort } from '../ports.ts';

type Context = {
  query: ListQuery;
  shown: boolean;
  /**
   * The facets of the list, or of the previous list while new facets load; null before the first.
   */
  facets: Facets | null;
  /** The number of titles in the list; null if the server did not count them. */
  total: number | null;
};

const invokeFacets = {
  id: 'facets',
  src: 'facets',
  input: ({ context: { query } }: { context: Context }) => ({ query }),
  onDone: { target: 'counted', actions: { type: 'keepFacets', params: getOutput<Facets> } },
  onError: 'uncounted',
} as const;

/**
 * The filters of a list with the number of titles that each would leave, and the announcement of
 * the list's total to screen readers. The announcement waits until the list is stable, so that
 * setting several filters in a row announces one number.
 */
export const facetsMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'list.requested'; query: ListQuery } | { type: 'list.counted'; total: number | null };
    input: { query: ListQuery; shown: boolean };
  },
  actors: {
    facets: requestPort<Facets, { query: ListQuery }>(),
  },
  actions: {
    keepQuery: assign({ query: (_, query: ListQuery) => query }),
    keepFacets: assign({ facets: (_, facets: Facets) => facets }),
    keepTotal: assign({ total: (_, total: number | null) => total }),
  },
  guards: {
    isShown: ({ context }) => context.shown,
  },
  delays: {
    settled: 700,
  },
}).createMachine({
  id: 'facets',
  context: ({ input }) => ({ ...input, facets: null, total: null }),
  type: 'parallel',
  states: {
    choices: {
      initial: 'deciding',
      on: {
        'list.requested': {
          guard: 'isShown',
          target: '.counting',
          actions: { type: 'keepQuery', params: ({ event }) => event.query },
        },
      },
      states: {
        deciding: { always: [{ guard: 'isShown', target: 'waiting' }, { target: 'hidden' }] },
        /** No facets are known yet. */
        waiting: { invoke: invokeFacets },
        /**
         * Keeps the previous facets until the new ones are loaded, so that a focused filter keeps
         * its focus.
         */
        counting: { invoke: invokeFacets },
        counted: {},
        uncounted: {},
        hidden: {},
      },
    },
    announcement: {
      initial: 'quiet',
      on: {
        'list.requested': '.quiet',
        'list.counted': { target: '.settling', actions: { type: 'keepTotal', params: ({ event }) => event.total } },
      },
      states: {
        quiet: {},
        settling: { after: { settled: 'announced' } },
        announced: {},
      },
    },
  },
});
