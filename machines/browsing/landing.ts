import { assign, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import { selectInProgress } from '../model/reading/in-progress.ts';
import type { OwnedTitle } from '../model/buying/purchase.ts';
import { toShelves, type Carousel, type Shelf } from '../model/catalogue/shelves.ts';
import type { TitleType } from '../model/catalogue/title.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  types: TitleType[];
  shelves: Shelf[];
  /** The titles that the customer is reading, last opened first; null until loaded. */
  startedTitles: OwnedTitle[] | null;
  problem: Problem | null;
};

/**
 * The landing page: titles to continue reading, the newest titles, and shelves for the kinds that
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
    startedTitles: requestPort<OwnedTitle[]>(),
  },
  actions: {
    keepShelves: assign({ shelves: (_, carousels: Carousel[]) => toShelves(carousels), problem: null }),
    keepStartedTitles: assign({ startedTitles: (_, ownedTitles: OwnedTitle[]) => selectInProgress(ownedTitles) }),
    keepProblem: keepProblem(),
  },
  guards: {
    hasNothing: (_, carousels: Carousel[]) => carousels.length === 0,
    knowsStartedTitles: ({ context }) => context.startedTitles !== null,
  },
  delays: {
    /**
     * Milliseconds that the shelves wait for the "continue reading" row above them: adding the row
     * later would shift the layout.
     */
    maxWait: 1_500,
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
    startedTitles: signedIn && store.enableWebReader ? null : [],
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      type: 'parallel',
      states: {
        shelves: {
          initial: 'loading',
          states: {
            loading: {
              invoke: {
                id: 'carousels',
                src: 'carousels',
                input: ({ context }) => ({ types: context.types }),
                onDone: [
                  { guard: { type: 'hasNothing', params: getOutput }, target: '#landing.empty' },
                  { target: 'loaded', actions: { type: 'keepShelves', params: getOutput } },
                ],
                onError: { target: '#landing.failed', actions: { type: 'keepProblem', params: getProblem } },
              },
            },
            loaded: {
              always: { guard: 'knowsStartedTitles', target: '#landing.shown' },
              after: { maxWait: '#landing.shown' },
            },
          },
        },
        startedTitles: {
          initial: 'deciding',
          states: {
            deciding: { always: [{ guard: 'knowsStartedTitles', target: 'known' }, { target: 'asking' }] },
            asking: {
              invoke: {
                id: 'startedTitles',
                src: 'startedTitles',
                onDone: { target: 'known', actions: { type: 'keepStartedTitles', params: getOutput } },
                // A failure here must not hide the shelves.
                onError: { target: 'known', actions: { type: 'keepStartedTitles', params: [] } },
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
