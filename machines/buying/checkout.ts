import { enqueueActions } from 'xstate';
import { isFree } from '../model/price.ts';
import type { PaidFor } from '../model/purchase.ts';
import { isTaxed } from '../model/tax.ts';
import { outputIn, problemIn } from '../ports.ts';
import { checkoutSetup, type QuoteRequest } from './checkout-setup.ts';
import { endsAs, whilePaying } from './paying.ts';
import { choosesCard, choosesCredits, choosesMethod, paidBy, readingWays } from './ways-to-pay.ts';

export type { NewPrice, Quote, QuoteRequest } from './checkout-setup.ts';

const forgotten =
  (isPaid: boolean) =>
  ({ context: { titleId, paidFor = 'title' } }: { context: QuoteRequest & { paidFor?: PaidFor } }) => ({
    titleId,
    paidFor,
    isPaid,
  });

/** A payment that has come to nothing is forgotten, and can be begun anew. */
const unpaid = <Id extends string>(id: Id) =>
  ({
    entry: 'startAfresh',
    invoke: { id, src: 'forgetPending', input: forgotten(false) },
    on: { 'retry.pressed': { target: 'quoting', actions: 'goPurchase' } },
  }) as const;

/** Buying one title: the summary and its price, then the payment, then the success page or a way on. */
export const checkoutMachine = checkoutSetup
  .createMachine({
    id: 'checkout',
    context: ({ input }) => ({
      titleId: input.route.params['titleid'] ?? '',
      countries: input.store.purchaseCountries,
      transId: input.route.params['transId'] || null,
      key: null,
      signedIn: input.signedIn,
      resume: input.resume,
      title: null,
      price: null,
      instanceId: null,
      cards: [],
      cardId: null,
      ...(input.store.enableTax ? { addsTax: true as const } : {}),
      ...(input.store.showBuyTitle ? {} : { sellsNone: true as const }),
      outcome: null,
      problem: null,
    }),
    initial: 'arriving',
    states: {
      arriving: {
        always: [
          { guard: 'isReturning', target: 'paying', meta: { spec: ['S2./checkout/complete'] } },
          { guard: 'isForNothing', target: 'notFound' },
          { target: 'quoting' },
        ],
      },
      quoting: {
        tags: 'busy',
        invoke: {
          id: 'quote',
          src: 'quote',
          input: ({ context: { titleId, countries } }) => ({ titleId, countries }),
          onDone: { target: 'quoted', actions: { type: 'keepQuote', params: outputIn } },
          onError: [
            { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
            { target: 'unavailable', actions: { type: 'keepProblem', params: problemIn } },
          ],
        },
      },
      quoted: {
        always: [
          { guard: 'isOwned', target: 'owned' },
          { guard: 'isNotForSale', target: 'notForSale' },
          { guard: 'isReturningSignedIn', target: 'paying' },
          { guard: 'resumesPay', target: 'paying' },
          { guard: 'resumesOtherPay', target: 'priceChanged' },
          { guard: 'mayHaveCards', target: 'readingCards' },
          { target: 'ready' },
        ],
      },
      ...readingWays('ready'),
      ready: {
        meta: { spec: ['S2./title/purchase'] },
        entry: ['dropTax', 'startTax'],
        exit: 'stopTax',
        on: {
          'tax.told': { actions: { type: 'keepTax', params: ({ event }) => event.tax } },
          'tax.outdated': { target: 'priceChanged', actions: 'dropCards' },
          'code.submitted': {
            guard: 'isCodeless',
            target: 'applying',
            actions: { type: 'keepForm', params: ({ event }) => event.pii.form },
          },
          'code.rejected': {
            guard: 'isCodeless',
            actions: { type: 'keepFields', params: ({ event }) => event.fields },
          },
          'code.removed': { guard: 'isReduced', target: 'removing', actions: 'forgetCode' },
          'card.chosen': choosesCard,
          'credits.chosen': choosesCredits,
          'method.chosen': choosesMethod,
          'pay.pressed': [
            { guard: 'mayPay', target: 'paying', actions: 'dropCards' },
            { guard: 'isVisitor', actions: 'askSignIn' },
          ],
          'cancel.pressed': { target: 'cancelled', actions: 'dropCards' },
        },
      },
      /** The summary stays on the screen meanwhile. */
      applying: {
        meta: { spec: ['S7.redeem/apply'] },
        tags: 'busy',
        exit: 'dropForm',
        invoke: {
          id: 'applyCode',
          src: 'applyCode',
          input: ({ context: { titleId, title, countries, pii } }) => ({
            titleId,
            prices: title?.prices ?? [],
            countries,
            pii: { form: pii?.form ?? null },
          }),
          onDone: { target: 'ready', actions: { type: 'keepNewPrice', params: outputIn } },
          onError: { target: 'ready', actions: { type: 'keepCodeProblem', params: problemIn } },
        },
      },
      removing: {
        tags: 'busy',
        invoke: {
          id: 'removeCode',
          src: 'removeCode',
          input: ({ context: { titleId, title, countries } }) => ({ titleId, prices: title?.prices ?? [], countries }),
          onDone: { target: 'ready', actions: { type: 'keepUsualPrice', params: outputIn } },
        },
      },
      paying: {
        entry: 'beginAction',
        exit: 'endAction',
        invoke: {
          id: 'payment',
          src: 'payment',
          input: ({ context }) => {
            const { titleId, price, title, key, transId } = context;
            const free = title !== null && isFree(title);
            return { titleId, price, free, key, transId, ...paidBy(context, isTaxed(context)) };
          },
          onDone: { target: 'paid', actions: { type: 'keepOutcome', params: outputIn } },
        },
        on: whilePaying,
      },
      paid: {
        always: [
          endsAs('succeeded'),
          endsAs('failed'),
          endsAs('cancelled'),
          endsAs('priceChanged'),
          endsAs('notFound'),
          { target: 'quoting', actions: 'startAfresh' },
        ],
      },
      succeeded: {
        tags: 'busy',
        entry: 'goSuccess',
        invoke: { id: 'forgetPaid', src: 'forgetPending', input: forgotten(true) },
      },
      failed: unpaid('forgetFailed'),
      cancelled: unpaid('forgetCancelled'),
      priceChanged: unpaid('forgetPrice'),
      owned: { on: { 'read.pressed': { actions: 'goRead' } } },
      notForSale: {},
      notFound: {},
      unavailable: { on: { 'retry.pressed': 'quoting' } },
    },
  })
  .provide({
    actions: {
      /** Only where tax is added: everywhere else a visit is what it was before. */
      startTax: enqueueActions(({ context, enqueue }) => {
        const { titleId, price, signedIn } = context;
        if (signedIn && isTaxed(context)) enqueue.spawnChild('tax', { id: 'tax', input: { titleId, price, isDue: true } });
      }),
    },
  });
