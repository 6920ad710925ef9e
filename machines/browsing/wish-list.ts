import { assign, setup, type EventObject } from 'xstate';
import type { WishesFact } from '../app/wish-list.ts';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { TitleSummary } from '../model/catalogue/title.ts';
import { channelPort, outputIn, requestPort } from '../ports.ts';

/** A title of the wish list; `savedAt` ISO 8601. */
export type SavedTitle = { savedAt: string; title: TitleSummary };

type Context = { signedIn: boolean; saved: SavedTitle[]; problem: Problem | null };

/** The page of the wish list. What is removed on it stays where it is, to be put back, until the page is left. */
export const wishListMachine = setup({
  types: {} as { context: Context; events: FlowNews | WishesFact | { type: 'retry.pressed' }; input: FlowInput },
  actors: {
    /** The saved titles that the shop has, the latest first; rejects as any call. */
    savedTitles: requestPort<SavedTitle[], { signedIn: boolean }>(),
    /** What other tabs do with the list. */
    wishNews: channelPort<EventObject, WishesFact>(),
  },
  actions: {
    keepSaved: assign({ saved: (_, saved: SavedTitle[]) => saved, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: { isEmpty: (_, saved: SavedTitle[]) => saved.length === 0 },
}).createMachine({
  id: 'wishList',
  context: ({ input: { signedIn } }) => ({ signedIn, saved: [], problem: null }),
  invoke: { id: 'wishNews', src: 'wishNews' },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'savedTitles',
        src: 'savedTitles',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepSaved', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {
      initial: 'resting',
      states: {
        resting: { on: { 'wishes.changed': 'refreshing' } },
        refreshing: {
          on: { 'wishes.changed': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'savedTitlesAnew',
            src: 'savedTitles',
            input: ({ context: { signedIn } }) => ({ signedIn }),
            onDone: [
              { guard: { type: 'isEmpty', params: outputIn }, target: '#wishList.empty' },
              { target: 'resting', actions: { type: 'keepSaved', params: outputIn } },
            ],
            // What is shown already is worth more than a message.
            onError: 'resting',
          },
        },
      },
    },
    empty: { on: { 'wishes.changed': 'loading' } },
    failed,
  },
});
