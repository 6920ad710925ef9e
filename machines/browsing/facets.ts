import { assign, setup } from 'xstate';
import type { Facets, ListQuery } from '../model/catalogue/list.ts';
import { outputIn, requestPort } from '../ports.ts';

type Context = {
  query: ListQuery;
  shown: boolean;
  /** Those of the list before, while others are counted; null where the server has never counted any. */
  facets: Facets | null;
  /** How many titles the list has, null where nobody counted. */
  total: number | null;
};

const count = {
  id: 'facets',
  src: 'facets',
  input: ({ context: { query } }: { context: Context }) => ({ query }),
  onDone: { target: 'counted', actions: { type: 'keepFacets', params: outputIn<Facets> } },
  onError: 'uncounted',
} as const;

/**
 * What a list can be narrowed by, and how many titles each choice would leave; and how many the list has, which is said aloud
 * once it has come to rest: who sets three filters in a row hears one number.
 */
export const facetsMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'list.asked'; query: ListQuery } | { type: 'list.counted'; total: number | null };
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
        'list.asked': {
          guard: 'isShown',
          target: '.counting',
          actions: { type: 'keepQuery', params: ({ event }) => event.query },
        },
      },
      states: {
        deciding: { always: [{ guard: 'isShown', target: 'waiting' }, { target: 'hidden' }] },
        /** Nothing is known of the list's choices yet. */
        waiting: { invoke: count },
        /** The choices of the list before stand until these are counted, and the focus with them. */
        counting: { invoke: count },
        counted: {},
        uncounted: {},
        hidden: {},
      },
    },
    saying: {
      initial: 'quiet',
      on: {
        'list.asked': '.quiet',
        'list.counted': { target: '.settling', actions: { type: 'keepTotal', params: ({ event }) => event.total } },
      },
      states: {
        quiet: {},
        settling: { after: { settled: 'said' } },
        said: {},
      },
    },
  },
});
