import { assign, setup, type EventObject } from 'xstate';
import type { CartFact } from '../app/cart.ts';
import { failed, fails, keepProblem } from '../loadable.ts';
import type { CartEntry } from '../model/cart.ts';
import type { FlowInput, FlowNews } from '../model/flow.ts';
import type { Problem } from '../model/problem.ts';
import { channelPort, outputIn, requestPort } from '../ports.ts';

type Context = { signedIn: boolean; entries: CartEntry[]; problem: Problem | null };

/** The page of the cart. What is removed on it stays where it is, to be put back, until the page is left. */
export const cartMachine = setup({
  types: {} as { context: Context; events: FlowNews | CartFact | { type: 'retry.pressed' }; input: FlowInput },
  actors: {
    /** What is in the cart, the latest first; rejects as any call. */
    cartEntries: requestPort<CartEntry[], { signedIn: boolean }>(),
    /** What other tabs and purchases do with the cart. */
    cartNews: channelPort<EventObject, CartFact>(),
  },
  actions: {
    keepEntries: assign({ entries: (_, entries: CartEntry[]) => entries, problem: null }),
    keepProblem: keepProblem(),
  },
  guards: { isEmpty: (_, entries: CartEntry[]) => entries.length === 0 },
}).createMachine({
  id: 'cart',
  context: ({ input: { signedIn } }) => ({ signedIn, entries: [], problem: null }),
  invoke: { id: 'cartNews', src: 'cartNews' },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'cartEntries',
        src: 'cartEntries',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: [
          { guard: { type: 'isEmpty', params: outputIn }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepEntries', params: outputIn } },
        ],
        onError: fails,
      },
    },
    shown: {
      meta: { spec: ['S2./purchase'] },
      initial: 'resting',
      states: {
        resting: { on: { 'cart.changed': 'refreshing' } },
        refreshing: {
          on: { 'cart.changed': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'cartEntriesAnew',
            src: 'cartEntries',
            input: ({ context: { signedIn } }) => ({ signedIn }),
            onDone: [
              { guard: { type: 'isEmpty', params: outputIn }, target: '#cart.empty' },
              { target: 'resting', actions: { type: 'keepEntries', params: outputIn } },
            ],
            // What is shown already is worth more than a message.
            onError: 'resting',
          },
        },
      },
    },
    empty: { on: { 'cart.changed': 'loading' } },
    failed,
  },
});
