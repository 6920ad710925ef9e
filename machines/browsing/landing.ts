import { assign, setup } from 'xstate';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import type { TitleSummary, TitleType } from '../model/title.ts';
import { outputIn, requestPort } from '../ports.ts';

/** A row of titles on the landing page; the newest have no type of their own. */
export type Shelf = { type: TitleType | 'all'; titles: TitleSummary[]; total: number | null };

type Context = { types: TitleType[]; shelves: Shelf[]; problem: Problem | null };

/** The landing page: the newest titles and a shelf for each kind that the store sells. */
export const landingMachine = setup({
  types: {} as {
    context: Context;
    events: FlowNews | { type: 'retry.pressed' };
    input: FlowInput;
  },
  actors: {
    /** The shelves that have titles; rejects only when none of them could be loaded. */
    shelves: requestPort<Shelf[], { types: TitleType[] }>(),
  },
  actions: {
    keepShelves: assign({ shelves: (_, shelves: Shelf[]) => shelves, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: {
    hasNothing: (_, shelves: Shelf[]) => shelves.length === 0,
  },
}).createMachine({
  id: 'landing',
  context: ({ input: { store } }) => ({
    types: [
      ...(store.enableEbook ? (['ebook'] as const) : []),
      ...(store.enableAudioTitle ? (['audio'] as const) : []),
      ...(store.enableVideoTitle ? (['video'] as const) : []),
    ],
    shelves: [],
    problem: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'shelves',
        src: 'shelves',
        input: ({ context }) => ({ types: context.types }),
        onDone: [
          { guard: { type: 'hasNothing', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepShelves', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {},
    empty: {},
    failed,
  },
});
