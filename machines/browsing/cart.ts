import { assign, setup, type EventObject } from 'xstate';
import type { CartFact } from '../app/cart.ts';
import { formActions, onForm } from '../form.ts';
import { failed, fails } from '../loadable.ts';
import { isCheaper, type CartEntry, type CartRead } from '../model/buying/cart.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { RedeemForm } from '../model/buying/redeem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { channelPort, outputIn, problemIn, requestPort } from '../ports.ts';

type Context = {
  signedIn: boolean;
  entries: CartEntry[];
  /** Of a code that was typed. */
  fields: FieldProblems;
  problem: Problem | null;
  /** A code that was typed, held only until it is looked up. */
  pii: { form: RedeemForm | null };
};

/** The same cart for another price, by a code or without it. */
const repriced = {
  onDone: [
    { guard: { type: 'isEmpty', params: outputIn<CartRead> }, target: '#cart.empty', actions: 'dropForm' },
    { target: 'resting', actions: ['dropForm', { type: 'keepEntries', params: outputIn<CartRead> }] },
  ],
  // Nothing has changed, and why is said beside the field.
  onError: { target: 'resting', actions: ['dropForm', { type: 'keepProblem', params: problemIn }] },
} as const;

type Events =
  | FlowNews
  | CartFact
  | { type: 'code.submitted'; pii: { form: RedeemForm } }
  | { type: 'code.rejected'; fields: FieldProblems }
  | { type: 'code.removed' }
  | { type: 'retry.pressed' };

/** The page of the cart. What is removed on it stays where it is, to be put back, until the page is left. */
export const cartMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** The lines of the cart, the latest first, with the code of this tab; rejects as any call. */
    cartEntries: requestPort<CartRead, { signedIn: boolean }>(),
    /**
     * The cart with a code; asking does not use it up, and the code is kept in this tab. Rejects
     * with `refused` `code_…` where it takes nothing off.
     */
    applyCode: requestPort<CartRead, { pii: { form: RedeemForm | null } }>(),
    /** The cart without the code, which is forgotten. */
    removeCode: requestPort<CartRead>(),
    /** What other tabs and purchases do with the cart. */
    cartNews: channelPort<EventObject, CartFact>(),
  },
  actions: {
    keepEntries: assign((_, { entries, refused }: CartRead) => ({ entries, problem: refused })),
    ...formActions<Context, Events, RedeemForm>(),
    dropFields: assign({ fields: {}, problem: null }),
  },
  guards: {
    isEmpty: (_, { entries }: CartRead) => entries.length === 0,
    hasCode: ({ context }) => isCheaper(context.entries),
  },
}).createMachine({
  id: 'cart',
  context: ({ input: { signedIn } }) => ({ signedIn, entries: [], fields: {}, problem: null, pii: { form: null } }),
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
        resting: {
          on: {
            'cart.changed': 'refreshing',
            ...onForm('code', 'applying'),
            'code.removed': { guard: 'hasCode', target: 'removing', actions: 'dropFields' },
          },
        },
        applying: {
          tags: 'busy',
          on: { 'cart.changed': { target: 'applying', reenter: true } },
          invoke: {
            id: 'applyCode',
            src: 'applyCode',
            input: ({ context: { pii } }) => ({ pii: { form: pii.form } }),
            ...repriced,
          },
        },
        removing: {
          tags: 'busy',
          on: { 'cart.changed': { target: 'removing', reenter: true } },
          invoke: { id: 'removeCode', src: 'removeCode', ...repriced },
        },
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
