import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { lastBegun } from '../model/reading/begun.ts';
import type { OwnedTitle } from '../model/buying/purchase.ts';
import { shelvesOf, type Carousel, type Shelf } from '../model/catalogue/shelves.ts';
import type { TitleType } from '../model/catalogue/title.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  types: TitleType[];
  shelves: Shelf[];
  /** What the customer has begun to read, the latest first; null until that is known. */
  begun: OwnedTitle[] | null;
  problem: Problem | null;
};

/** The landing page: what the customer goes on reading, the newest titles, and a shelf for each kind that the store sells. */
export const landingMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The carousels that have titles; rejects only when none of them could be loaded. */
    carousels: requestPort<Carousel[], { types: TitleType[] }>(),
    /** The signed-in customer's titles that were opened last; rejects as any call. */
    begun: requestPort<OwnedTitle[]>(),
  },
  actions: {
    keepShelves: assign({ shelves: (_, carousels: Carousel[]) => shelvesOf(carousels), problem: null }),
    keepBegun: assign({ begun: (_, owned: OwnedTitle[]) => lastBegun(owned) }),
    keepProblem: keepProblem(),
  },
  guards: {
    hasNothing: (_, carousels: Carousel[]) => carousels.length === 0,
    knowsBegun: ({ context }) => context.begun !== null,
  },
  delays: {
    /** Nothing on the page may move later, so it waits for what it begins with; the titles do not wait long for that. */
    patience: 1_500,
  },
}).createMachine({
  id: 'landing',
  context: ({ input: { store, signedIn } }) => ({
    types: [
      ...(store.enableEbook ? (['ebook'] as const) : []),
      ...(store.enableAudioTitle ? (['audio'] as const) : []),
      ...(store.enableVideoTitle ? (['video'] as const) : []),
    ],
    shelves: [],
    // A visitor has begun nothing, and what is only read in an app is not gone on with here.
    begun: signedIn && store.enableWebReader ? null : [],
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      type: 'parallel',
      states: {
        shelves: {
          initial: 'stocking',
          states: {
            stocking: {
              invoke: {
                id: 'carousels',
                src: 'carousels',
                input: ({ context }) => ({ types: context.types }),
                onDone: [
                  { guard: { type: 'hasNothing', params: outputIn }, target: '#landing.empty' },
                  { target: 'stocked', actions: { type: 'keepShelves', params: outputIn } },
                ],
                onError: { target: '#landing.failed', actions: { type: 'keepProblem', params: problemIn } },
              },
            },
            stocked: {
              always: { guard: 'knowsBegun', target: '#landing.shown' },
              after: { patience: '#landing.shown' },
            },
          },
        },
        begun: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'knowsBegun', target: 'known' }, { target: 'asking' }] },
            asking: {
              invoke: {
                id: 'begun',
                src: 'begun',
                onDone: { target: 'known', actions: { type: 'keepBegun', params: outputIn } },
                // The titles are there all the same.
                onError: { target: 'known', actions: { type: 'keepBegun', params: [] } },
              },
            },
            known: {},
          },
        },
      },
    },
    shown: {},
    empty: {},
    failed: { on: { 'retry.pressed': 'loading' } },
  },
});
