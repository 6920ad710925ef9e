import { assign, setup, type EventObject } from 'xstate';
import type { WishesFact } from '../app/wish-list.ts';
import { failed, toFailed, keepProblem } from '../loadable.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { TitleSummary } from '../model/catalogue/title.ts';
import { channelPort, getOutput, requestPort } from '../ports.ts';

/** A title of the wish list; `savedAt` is ISO 8601. */
export type SavedTitle = { savedAt: string; title: TitleSummary };

type Context = { signedIn: boolean; saved: SavedTitle[]; problem: Problem | null };

/**
 * The wish list page. Removed titles stay at their position, so that they can be put back, until
 * the page loads the list again or the customer leaves it.
 */
export const wishListMachine = setup({
  types: {} as { context: Context; events: FlowSignal | WishesFact | { type: 'retry.pressed' }; input: FlowInput },
  actors: {
    /** The saved titles that the shop still has, newest first; rejects like any call. */
    savedTitles: requestPort<SavedTitle[], { signedIn: boolean }>(),
    /** Signals changes of the wish list by other tabs. */
    wishListSignals: channelPort<EventObject, WishesFact>(),
  },
  actions: {
    keepSaved: assign({ saved: (_, titles: SavedTitle[]) => titles, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: { isEmpty: (_, titles: SavedTitle[]) => titles.length === 0 },
}).createMachine({
  id: 'wishList',
  context: ({ input: { signedIn } }) => ({ signedIn, saved: [], problem: null }),
  invoke: { id: 'wishListSignals', src: 'wishListSignals' },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'savedTitles',
        src: 'savedTitles',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: [
          { guard: { type: 'isEmpty', params: getOutput }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepSaved', params: getOutput } },
        ],
        onError: toFailed,
      },
    },
    shown: {
      initial: 'resting',
      states: {
        resting: { on: { 'wishes.changed': 'refreshing' } },
        refreshing: {
          on: { 'wishes.changed': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'reloadSavedTitles',
            src: 'savedTitles',
            input: ({ context: { signedIn } }) => ({ signedIn }),
            onDone: [
              { guard: { type: 'isEmpty', params: getOutput }, target: '#wishList.empty' },
              { target: 'resting', actions: { type: 'keepSaved', params: getOutput } },
            ],
            // A stale list is better than an error message.
            onError: 'resting',
          },
        },
      },
    },
    empty: { on: { 'wishes.changed': 'loading' } },
    failed,
  },
});
