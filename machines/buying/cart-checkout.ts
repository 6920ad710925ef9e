import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import { payableIds, type CartQuote } from '../model/cart.ts';
import { cartCheckoutPath, cartPath, cartSuccessPath } from '../model/cart-paths.ts';
import type { Card } from '../model/card.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { Problem } from '../model/problem.ts';
import type { RedeemForm } from '../model/redeem.ts';
import type { FieldProblems } from '../model/session.ts';
import type { Tax, TaxShown } from '../model/tax.ts';
import { outputIn, problemIn, requestPort, safePort } from '../ports.ts';
import { paymentMachine, type Outcome, type PaymentOutput } from './payment.ts';
import { endsAs, whilePaying } from './paying.ts';
import { taxMachine, type TaxNews } from './tax.ts';
import {
  cardChosen,
  choosesCard,
  choosesMethod,
  isOffered,
  keptCards,
  methodChosen,
  offeredWays,
  paidBy,
  takesMethod,
  type WayChosen,
  type Ways,
} from './ways-to-pay.ts';

/**
 * What is bought and for how much. `key` is the idempotency key of this attempt: the one that an unfinished payment of the same
 * titles for the same price left behind, else a new one; `transId` belongs to that unfinished payment.
 */
export type CartOrder = {
  quote: CartQuote;
  key: string;
  transId: string | null;
  /** What the gateway's page takes beside cards; left out where that is nothing, and where only the price is another. */
  methods?: readonly string[];
};

type Context = TaxShown &
  Omit<Ways, 'credits' | 'balance' | 'withCredits'> & {
    countries: readonly string[];
    /** The store sells no titles. */
    sellsNone?: true;
    transId: string | null;
    key: string | null;
    quote: CartQuote | null;
    outcome: Outcome | null;
    fields: FieldProblems;
    problem: Problem | null;
    /** A code that was typed, held only until it is looked up. */
    pii: { form: RedeemForm | null };
  };

/** The same cart for another price, by a code or without it. */
const repriced = {
  onDone: [
    {
      guard: { type: 'isNothing', params: outputIn<CartOrder> },
      target: 'empty',
      actions: ['dropCards', { type: 'keepNewPrice', params: outputIn<CartOrder> }],
    },
    { target: 'ready', actions: { type: 'keepNewPrice', params: outputIn<CartOrder> } },
  ],
  // Nothing has changed, and why is said beside the field.
  onError: { target: 'ready', actions: { type: 'keepProblem', params: problemIn } },
} as const;

/** A payment that has come to nothing is forgotten, and can be begun anew. */
const unpaid = <Id extends string>(id: Id) =>
  ({
    entry: 'startAfresh',
    invoke: { id, src: 'forgetPending' },
    on: { 'retry.pressed': { target: 'quoting', actions: 'goCheckout' } },
  }) as const;

/** Paying for the cart: what it holds and costs, then one payment for all of it, then the success page or a way on. */
export const cartCheckoutMachine = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | TaxNews
      | { type: 'code.submitted'; pii: { form: RedeemForm } }
      | { type: 'code.rejected'; fields: FieldProblems }
      | { type: 'code.removed' }
      | { type: 'pay.pressed' }
      | WayChosen
      | { type: 'cancel.pressed' }
      | { type: 'retry.pressed' }
      | { type: 'leave'; url: string };
    input: FlowInput;
  },
  actors: {
    payment: paymentMachine,
    tax: taxMachine,
    /** What is in the cart now, and what it costs in the money of the store's countries and the shop's language. */
    cartOrder: requestPort<CartOrder, { countries: readonly string[] }>(),
    /**
     * The cart with what a code takes off; asking does not use it up, and the code is kept in this tab. Rejects with `refused` `code_…`
     * where it takes nothing off.
     */
    applyCode: requestPort<CartOrder, { countries: readonly string[]; pii: { form: RedeemForm | null } }>(),
    /** The cart without the code, which is forgotten. */
    removeCode: requestPort<CartOrder, { countries: readonly string[] }>(),
    /** The customer's cards, the default one first. */
    keptCards: requestPort<Card[]>(),
    /** Forgets the remembered payment, so that the next one starts afresh. */
    forgetPending: safePort<null>(),
  },
  actions: {
    keepOrder: assign(({ context }, { quote, key, transId, methods }: CartOrder) => ({
      quote,
      key,
      transId,
      problem: null,
      ...offeredWays(context, methods),
    })),
    /** The same cart at another price: whichever way to pay was chosen stays so. */
    keepNewPrice: assign((_, { quote, key, transId }: CartOrder) => ({ quote, key, transId, problem: null })),
    keepForm: assign({ pii: (_, form: RedeemForm) => ({ form }), fields: {}, problem: null }),
    dropForm: assign({ pii: { form: null } }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    dropFields: assign({ fields: {}, problem: null }),
    keepCards: assign((_, all: Card[]) => keptCards(all)),
    keepTax: assign({ tax: (_, tax: Tax | null | undefined) => tax ?? null }),
    /** Until it is told anew: the price may be another one by now. */
    dropTax: assign(({ context }) => (context.tax === undefined ? {} : { tax: null })),
    dropCards: assign({ cards: [] }),
    chooseCard: assign(({ context }, cardId: string | null) => cardChosen(context, cardId)),
    chooseMethod: assign(({ context }, method: string) => methodChosen(context, method)),
    keepOutcome: assign((_, { outcome, transId, problem }: PaymentOutput) => ({ outcome, transId, problem })),
    keepProblem: keepProblem(),
    startAfresh: assign({ transId: null, key: null }),
    passOn: sendParent(({ event }) => event),
    tellPayment: sendTo('payment', ({ event }) => event),
    goSuccess: sendParent(({ context }) => ({ type: 'go', to: cartSuccessPath(context.transId ?? ''), replace: true })),
    goCart: sendParent({ type: 'go', to: cartPath, replace: false }),
    /** Trying again is a new payment: the address must not name the old one any more. */
    goCheckout: sendParent({ type: 'go', to: cartCheckoutPath, replace: true }),
  },
  guards: {
    isReturning: ({ context }) => context.transId !== null,
    /** What is charged is known: nothing is added any more. */
    isPriced: ({ context }) => context.addsTax !== true || (context.tax ?? null) !== null,
    isEmpty: ({ context }) => context.sellsNone === true || context.quote?.total == null,
    isNothing: (_, { quote }: CartOrder) => quote.total === null,
    hasCode: ({ context }) => context.quote?.off !== undefined,
    isOffered,
    takesMethod,
    endedAs: ({ context }, outcome: Outcome) => context.outcome === outcome,
  },
}).createMachine({
  id: 'cartCheckout',
  context: ({ input: { route, store } }) => ({
    countries: store.purchaseCountries,
    transId: route.params['transId'] || null,
    key: null,
    quote: null,
    cards: [],
    cardId: null,
    ...(store.enableTax ? { addsTax: true as const } : {}),
    ...(store.showBuyTitle ? {} : { sellsNone: true as const }),
    outcome: null,
    fields: {},
    problem: null,
    pii: { form: null },
  }),
  initial: 'arriving',
  states: {
    arriving: { always: [{ guard: 'isReturning', target: 'paying' }, { target: 'quoting' }] },
    quoting: {
      meta: { spec: ['S7.cart/titles'] },
      tags: 'busy',
      invoke: {
        id: 'cartOrder',
        src: 'cartOrder',
        input: ({ context: { countries } }) => ({ countries }),
        onDone: { target: 'quoted', actions: { type: 'keepOrder', params: outputIn } },
        onError: { target: 'unavailable', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    quoted: {
      always: [{ guard: 'isEmpty', target: 'empty' }, { guard: 'isReturning', target: 'paying' }, { target: 'readingCards' }],
    },
    readingCards: {
      tags: 'busy',
      invoke: {
        id: 'keptCards',
        src: 'keptCards',
        onDone: { target: 'ready', actions: { type: 'keepCards', params: outputIn } },
        // The gateway's page takes any card.
        onError: 'ready',
      },
    },
    ready: {
      entry: 'dropTax',
      invoke: {
        id: 'tax',
        src: 'tax',
        input: ({ context }) => ({ titleId: '', price: context.quote?.total ?? null, isDue: context.addsTax === true }),
      },
      on: {
        'tax.told': { actions: { type: 'keepTax', params: ({ event }) => event.tax } },
        'tax.outdated': { target: 'changed', actions: ['dropFields', 'dropCards'] },
        'code.submitted': { target: 'applying', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'code.rejected': { actions: { type: 'keepFields', params: ({ event }) => event.fields } },
        'code.removed': { guard: 'hasCode', target: 'removing', actions: 'dropFields' },
        'card.chosen': choosesCard,
        'method.chosen': choosesMethod,
        'pay.pressed': { guard: 'isPriced', target: 'paying', actions: ['dropFields', 'dropCards'] },
        'cancel.pressed': { actions: 'goCart' },
      },
    },
    applying: {
      meta: { spec: ['S7.cart/titles'] },
      tags: 'busy',
      exit: 'dropForm',
      invoke: {
        id: 'applyCode',
        src: 'applyCode',
        input: ({ context: { countries, pii } }) => ({ countries, pii: { form: pii.form } }),
        ...repriced,
      },
    },
    removing: {
      tags: 'busy',
      invoke: {
        id: 'removeCode',
        src: 'removeCode',
        input: ({ context: { countries } }) => ({ countries }),
        ...repriced,
      },
    },
    paying: {
      meta: { spec: ['S7.checkout/cart/session'] },
      invoke: {
        id: 'payment',
        src: 'payment',
        input: ({ context }) => ({
          titleId: '',
          titleIds: context.quote === null ? [] : payableIds(context.quote),
          price: context.quote?.total ?? null,
          free: false,
          key: context.key,
          transId: context.transId,
          ...paidBy(context, context.addsTax === true),
        }),
        onDone: { target: 'paid', actions: { type: 'keepOutcome', params: outputIn } },
      },
      on: whilePaying,
    },
    paid: {
      always: [
        endsAs('succeeded'),
        endsAs('failed'),
        endsAs('cancelled'),
        endsAs('notFound'),
        // A title that is owned by now is another cart, too.
        { guard: { type: 'endedAs', params: 'none' }, target: 'quoting', actions: ['startAfresh', 'goCheckout'] },
        { target: 'changed' },
      ],
    },
    succeeded: {
      tags: 'busy',
      entry: 'goSuccess',
      invoke: { id: 'forgetPaid', src: 'forgetPending' },
    },
    failed: unpaid('forgetFailed'),
    cancelled: unpaid('forgetCancelled'),
    /** What is in the cart, or what it costs, is not what was shown; nothing is charged. */
    changed: unpaid('forgetChanged'),
    /** The server knows of no such payment. */
    notFound: unpaid('forgetUnknown'),
    /** There is nothing in the cart to pay for. */
    empty: {},
    unavailable: { on: { 'retry.pressed': 'quoting' } },
  },
});
