import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { PaidFor } from '../model/buying/purchase.ts';
import { taxIn, type Place, type Tax, type TaxQuote } from '../model/buying/tax.ts';
import type { Price } from '../model/catalogue/title.ts';
import { outputIn, problemIn, requestPort } from '../ports.ts';

/** What tax is asked for: a title at its price, or the whole cart (`titleId` is empty then). Without a place it is the one of before. */
export type TaxRequest = { of: PaidFor; titleId: string; price: Price | null; place: Place | null };

/** What the summary that shows the tax is told: it can be paid with it, or not yet; or its price is no longer so. */
export type TaxNews = { type: 'tax.told'; tax: Tax | null } | { type: 'tax.outdated' };

/** `isDue`: the store adds tax to what is bought here. */
export type TaxInput = Omit<TaxRequest, 'place'> & { isDue: boolean };

type Context = TaxInput & { place: Place | null; quote: TaxQuote | null; problem: Problem | null };

/**
 * The tax on what a summary shows, which is added to its price: the customer says where they live, the server computes. It is told
 * to the summary, which lets nobody pay without it. What was quoted stays on the screen while it is asked for another place.
 */
export const taxMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'place.chosen'; place: Place } | { type: 'retry.pressed' };
    input: TaxInput;
  },
  actors: {
    /** Rejects with `refused price_changed` where the price is no longer so. */
    taxQuote: requestPort<TaxQuote, TaxRequest>(),
  },
  actions: {
    keepQuote: assign({ quote: (_, quote: TaxQuote) => quote, problem: null }),
    keepPlace: assign({ place: (_, place: Place) => place }),
    keepProblem: keepProblem(),
    tellTax: sendParent(({ context }) => ({ type: 'tax.told', tax: context.quote === null ? null : taxIn(context.quote) })),
    tellNone: sendParent({ type: 'tax.told', tax: null }),
    tellOutdated: sendParent({ type: 'tax.outdated' }),
  },
  guards: {
    isDue: ({ context }) => context.isDue,
    isComplete: (_, quote: TaxQuote) => taxIn(quote) !== null,
    isOutdated: (_, problem: Problem) => problem.kind === 'refused' && problem.code === 'price_changed',
  },
}).createMachine({
  id: 'tax',
  context: ({ input }) => ({ ...input, place: null, quote: null, problem: null }),
  initial: 'arriving',
  states: {
    arriving: { always: [{ guard: 'isDue', target: 'asking' }, { target: 'none' }] },
    none: {},
    asking: {
      meta: { spec: ['S7.tax'] },
      tags: 'busy',
      invoke: {
        id: 'taxQuote',
        src: 'taxQuote',
        input: ({ context: { of, titleId, price, place } }) => ({ of, titleId, price, place }),
        onDone: [
          { guard: { type: 'isComplete', params: outputIn }, target: 'quoted', actions: { type: 'keepQuote', params: outputIn } },
          { target: 'choosing', actions: { type: 'keepQuote', params: outputIn } },
        ],
        onError: [
          { guard: { type: 'isOutdated', params: problemIn }, target: 'outdated' },
          { target: 'failed', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
      on: {
        'place.chosen': {
          target: 'asking',
          reenter: true,
          actions: { type: 'keepPlace', params: ({ event }) => event.place },
        },
      },
    },
    /** It is known, until another place is chosen. */
    quoted: {
      entry: 'tellTax',
      exit: 'tellNone',
      on: { 'place.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } } },
    },
    /** A country, or a part of one, has to be chosen first. */
    choosing: {
      on: { 'place.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } } },
    },
    failed: {
      on: {
        'retry.pressed': 'asking',
        'place.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } },
      },
    },
    outdated: { entry: 'tellOutdated' },
  },
});
