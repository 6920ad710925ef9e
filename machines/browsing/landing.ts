import { assign, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import type { TitleSummary, TitleType } from '../model/title.ts';
import { outputIn, requestPort } from '../ports.ts';

/** A row of titles on the landing page; the newest have no type of their own. */
export type Carousel = { type: TitleType | 'all'; titles: TitleSummary[]; total: number | null };

type Context = { types: TitleType[]; carousels: Carousel[]; problem: Problem | null };

/** The landing page: the newest titles and a carousel for each kind that the store sells. */
export const landingMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The carousels that have titles; rejects only when none of them could be loaded. */
    carousels: requestPort<Carousel[], { types: TitleType[] }>(),
  },
  actions: {
    keepCarousels: assign({ carousels: (_, carousels: Carousel[]) => carousels, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    hasNothing: (_, carousels: Carousel[]) => carousels.length === 0,
  },
}).createMachine({
  id: 'landing',
  context: ({ input: { store } }) => ({
    types: [
      ...(store.enableEbook ? (['ebook'] as const) : []),
      ...(store.enableAudioTitle ? (['audio'] as const) : []),
      ...(store.enableVideoTitle ? (['video'] as const) : []),
    ],
    carousels: [],
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'carousels',
        src: 'carousels',
        input: ({ context }) => ({ types: context.types }),
        onDone: [
          { guard: { type: 'hasNothing', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepCarousels', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {},
    empty: {},
    failed,
  },
});
