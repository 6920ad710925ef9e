import { assign, sendParent, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Problem } from '../model/problem.ts';
import type { PaidFor } from '../model/buying/purchase.ts';
import { toTax, type TaxLocation, type Tax, type TaxQuote } from '../model/buying/tax.ts';
import type { Price } from '../model/catalogue/title.ts';
import { getOutput, getProblem, requestPort } from '../ports.ts';

/**
 * The input of a tax quote: a title with its price, or the whole cart (`titleId` is empty then).
 * Without `place` the customer's last location is used.
 */
export type TaxRequest = { of: PaidFor; titleId: string; price: Price | null; place: TaxLocation | null };

/**
 * Events to the summary: the tax, null while payment is not possible yet; or the notice that the
 * price is outdated.
 */
export type TaxSignal = { type: 'tax.changed'; tax: Tax | null } | { type: 'tax.outdated' };

/** The machine's input; `isDue` if the store adds tax to these goods. */
export type TaxInput = Omit<TaxRequest, 'place'> & { isDue: boolean };

type Context = TaxInput & { place: TaxLocation | null; quote: TaxQuote | null; problem: Problem | null };

/**
 * The tax that is added to the price of a summary: the customer chooses a location, and the server
 * computes the tax. The summary blocks payment until it receives the tax. The last quote stays
 * visible while a quote for another location loads.
 */
export const taxMachine = setup({
  types: {} as {
    context: Context;
    events: { type: 'taxLocation.chosen'; place: TaxLocation } | { type: 'retry.pressed' };
    input: TaxInput;
  },
  actors: {
    /** Rejects with `refused price_changed` if the price is outdated. */
    taxQuote: requestPort<TaxQuote, TaxRequest>(),
  },
  actions: {
    keepQuote: assign({ quote: (_, quote: TaxQuote) => quote, problem: null }),
    keepPlace: assign({ place: (_, place: TaxLocation) => place }),
    keepProblem: keepProblem(),
    reportTax: sendParent(({ context }) => ({ type: 'tax.changed', tax: context.quote === null ? null : toTax(context.quote) })),
    reportNoTax: sendParent({ type: 'tax.changed', tax: null }),
    reportOutdated: sendParent({ type: 'tax.outdated' }),
  },
  guards: {
    isDue: ({ context }) => context.isDue,
    isComplete: (_, quote: TaxQuote) => toTax(quote) !== null,
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
          {
            guard: { type: 'isComplete', params: getOutput },
            target: 'quoted',
            actions: { type: 'keepQuote', params: getOutput },
          },
          { target: 'choosing', actions: { type: 'keepQuote', params: getOutput } },
        ],
        onError: [
          { guard: { type: 'isOutdated', params: getProblem }, target: 'outdated' },
          { target: 'failed', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
      on: {
        'taxLocation.chosen': {
          target: 'asking',
          reenter: true,
          actions: { type: 'keepPlace', params: ({ event }) => event.place },
        },
      },
    },
    /** The quote is valid until the customer chooses another location. */
    quoted: {
      entry: 'reportTax',
      exit: 'reportNoTax',
      on: { 'taxLocation.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } } },
    },
    /** The customer must choose a country, or a region of it, first. */
    choosing: {
      on: { 'taxLocation.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } } },
    },
    failed: {
      on: {
        'retry.pressed': 'asking',
        'taxLocation.chosen': { target: 'asking', actions: { type: 'keepPlace', params: ({ event }) => event.place } },
      },
    },
    outdated: { entry: 'reportOutdated' },
  },
});
