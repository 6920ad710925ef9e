import { assign, setup, type EventObject } from 'xstate';
import type { CartFact } from '../app/cart.ts';
import { createFormActions, onForm } from '../form.ts';
import { failed, toFailed } from '../loadable.ts';
import { hasReducedPrices, type CartEntry, type LoadedCart } from '../model/buying/cart.ts';
import type { FlowInput, FlowSignal } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { RedeemForm } from '../model/buying/redeem.ts';
import type { FieldProblems } from '../model/account/session.ts';
import { channelPort, getOutput, getProblem, requestPort } from '../ports.ts';

type Context = {
  signedIn: boolean;
  entries: CartEntry[];
  /** The field problems of the form for a code. */
  fields: FieldProblems;
  problem: Problem | null;
  /** The typed code, held only until it is looked up. */
  pii: { form: RedeemForm | null };
};

/** `onDone` and `onError` of applying or removing a code, which reprices the cart. */
const onRepriced = {
  onDone: [
    { guard: { type: 'isEmpty', params: getOutput<LoadedCart> }, target: '#cart.empty', actions: 'dropForm' },
    { target: 'resting', actions: ['dropForm', { type: 'keepEntries', params: getOutput<LoadedCart> }] },
  ],
  // The cart is unchanged; the reason is shown beside the field.
  onError: { target: 'resting', actions: ['dropForm', { type: 'keepProblem', params: getProblem }] },
} as const;

type Events =
  | FlowSignal
  | CartFact
  | { type: 'code.submitted'; pii: { form: RedeemForm } }
  | { type: 'code.rejected'; fields: FieldProblems }
  | { type: 'code.removed' }
  | { type: 'retry.pressed' };

/**
 * The cart page. Removed lines stay at their position, so that they can be put back, until the
 * page loads the cart again or the customer leaves it.
 */
export const cartMachine = setup({
  types: {} as {
    context: Context;
    events: Events;
    input: FlowInput;
  },
  actors: {
    /** The cart's lines, newest first, with the code of this tab applied; rejects like any call. */
    cartEntries: requestPort<LoadedCart, { signedIn: boolean }>(),
    /**
     * The cart with the code applied. Applying does not consume the code; this tab stores it.
     * Rejects with `refused` `code_…` if the code reduces no price.
     */
    applyCode: requestPort<LoadedCart, { pii: { form: RedeemForm | null } }>(),
    /** The cart without the code, which is forgotten. */
    removeCode: requestPort<LoadedCart>(),
    /** Signals changes of the cart by other tabs and by purchases. */
    cartSignals: channelPort<EventObject, CartFact>(),
  },
  actions: {
    keepEntries: assign((_, { entries, refused }: LoadedCart) => ({ entries, problem: refused })),
    ...createFormActions<Context, Events, RedeemForm>(),
    dropFields: assign({ fields: {}, problem: null }),
  },
  guards: {
    isEmpty: (_, { entries }: LoadedCart) => entries.length === 0,
    hasCode: ({ context }) => hasReducedPrices(context.entries),
  },
}).createMachine({
  id: 'cart',
  context: ({ input: { signedIn } }) => ({ signedIn, entries: [], fields: {}, problem: null, pii: { form: null } }),
  invoke: { id: 'cartSignals', src: 'cartSignals' },
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'cartEntries',
        src: 'cartEntries',
        input: ({ context: { signedIn } }) => ({ signedIn }),
        onDone: [
          { guard: { type: 'isEmpty', params: getOutput }, target: 'empty' },
          { target: 'shown', actions: { type: 'keepEntries', params: getOutput } },
        ],
        onError: toFailed,
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
            ...onRepriced,
          },
        },
        removing: {
          tags: 'busy',
          on: { 'cart.changed': { target: 'removing', reenter: true } },
          invoke: { id: 'removeCode', src: 'removeCode', ...onRepriced },
        },
        refreshing: {
          on: { 'cart.changed': { target: 'refreshing', reenter: true } },
          invoke: {
            id: 'reloadCartEntries',
            src: 'cartEntries',
            input: ({ context: { signedIn } }) => ({ signedIn }),
            onDone: [
              { guard: { type: 'isEmpty', params: getOutput }, target: '#cart.empty' },
              { target: 'resting', actions: { type: 'keepEntries', params: getOutput } },
            ],
            // A stale cart is better than an error message.
            onError: 'resting',
          },
        },
      },
    },
    empty: { on: { 'cart.changed': 'loading' } },
    failed,
  },
});
