import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { selectInProgress } from '../model/reading/begun.ts';
import type { OwnedTitle } from '../model/buying/purchase.ts';
import { toShelves, type Carousel, type Shelf } from '../model/catalogue/shelves.ts';
import type { TitleType } from '../model/catalogue/title.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  types: TitleType[];
  shelves: Shelf[];
  /** The titles that the customer is reading, last opened first; null until loaded. */
  begun: OwnedTitle[] | null;
  problem: Problem | null;
};

/**
 * The landing page: titles to continue reading, the newest titles, and a shelf for each kind that
 * the store sells.
 */
export const landingMachine = setup({
  types: {} as {
    context: Context;
    events: FlowSignal | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The carousels that have titles; rejects only if all requests failed. */
    carousels: requestPort<Carousel[], { types: TitleType[] }>(),
    /** The signed-in customer's last opened titles; rejects like any call. */
    begun: requestPort<OwnedTitle[]>(),
  },
  actions: {
    keepShelves: assign({ shelves: (_, carousels: Carousel[]) => toShelves(carousels), problem: null }),
    keepBegun: assign({ begun: (_, ownedTitles: OwnedTitle[]) => selectInProgress(ownedTitles) }),
    keepProblem: keepProblem(),
  },
  guards: {
    hasNothing: (_, carousels: Carousel[]) => carousels.length === 0,
    knowsBegun: ({ context }) => context.begun !== null,
  },
  delays: {
    /**
     * Milliseconds that the shelves wait for the "continue reading" row above them: adding the row
     * later would shift the layout.
     */
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
    // Visitors have no titles to continue, nor do stores where titles are read only in an app.
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
                  { guard: { type: 'hasNothing', params: getOutput }, target: '#landing.empty' },
                  { target: 'stocked', actions: { type: 'keepShelves', params: getOutput } },
                ],
                onError: { target: '#landing.failed', actions: { type: 'keepProblem', params: getProblem } },
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
                onDone: { target: 'known', actions: { type: 'keepBegun', params: getOutput } },
                // A failure here must not hide the shelves.
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
