import { payableIds } from '../../model/buying/cart.ts';
import { isTaxed } from '../../model/buying/tax.ts';
import { outputIn, problemIn } from '../../ports.ts';
import type { Order, Outcome } from '../payment-setup.ts';
import type { TaxInput } from '../tax.ts';
import { choosesCard, choosesCredits, choosesMethod, paidBy } from '../ways-to-pay.ts';
import { contextOf, costsNothing, type Context } from './context.ts';
import { isGift, isOfCart, type NewPrice, type OfferRequest, type Repricing } from './offer.ts';
import { purchaseSetup } from './purchase-setup.ts';

/** The payment has ended so: the state of that name follows. */
const endsAs = <Ended extends Outcome>(outcome: Ended) =>
  ({ guard: { type: 'endedAs', params: outcome }, target: outcome }) as const;

/** A payment that has failed is forgotten, and can be begun again. */
const unpaid = <Id extends string>(id: Id) =>
  ({
    entry: ['startAfresh', 'dropCards', 'dropForm'],
    invoke: { id, src: 'forgetPending', input: ({ context }: { context: Context }) => forgotten(context, false) },
    on: { 'retry.pressed': { target: 'arriving', actions: 'goBeginning' } },
  }) as const;

/** The same offer at another price, by a code or without it. */
const repriced = {
  onDone: [
    { guard: { type: 'leavesNothing', params: outputIn<NewPrice> }, target: 'notForSale' },
    { target: 'ready', actions: { type: 'keepNewPrice', params: outputIn<NewPrice> } },
  ],
  // Nothing has changed, and why is said beside the field.
  onError: { target: 'ready', actions: { type: 'keepCodeProblem', params: problemIn } },
} as const;

/**
 * Buying a title, the cart or a plan, for the customer or as a gift: the offer with its price, the
 * words of a gift, one payment, then the success page or a way on.
 */
export const purchaseMachine = purchaseSetup.createMachine({
  id: 'purchase',
  context: contextOf,
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'isReturning', target: 'paying', meta: { spec: ['S2./checkout/complete'] } },
        { guard: 'isNotOffered', target: 'notOffered' },
        { guard: 'isForNothing', target: 'notFound' },
        { target: 'quoting' },
      ],
    },
    quoting: {
      tags: 'busy',
      invoke: {
        id: 'offer',
        src: 'loadOffer',
        input: ({ context }) => requestOf(context),
        onDone: { target: 'quoted', actions: { type: 'keepOffer', params: outputIn } },
        onError: [
          { guard: { type: 'isMissing', params: problemIn }, target: 'notFound' },
          { target: 'unavailable', actions: { type: 'keepProblem', params: problemIn } },
        ],
      },
    },
    quoted: {
      always: [
        { guard: 'isOwned', target: 'owned' },
        { guard: 'isTakenUp', target: 'paying' },
        { guard: 'isNotForSale', target: 'notForSale' },
        { guard: 'resumesPay', target: 'paying' },
        { guard: 'resumesOtherPay', target: 'priceChanged' },
        { guard: 'mayHaveCards', target: 'readingCards' },
        { target: 'offered' },
      ],
    },
    readingCards: {
      tags: 'busy',
      invoke: {
        id: 'keptCards',
        src: 'keptCards',
        onDone: [
          { guard: 'costsCredits', target: 'readingCredits', actions: { type: 'keepCards', params: outputIn } },
          { target: 'offered', actions: { type: 'keepCards', params: outputIn } },
        ],
        // The gateway's page takes any card.
        onError: [{ guard: 'costsCredits', target: 'readingCredits' }, { target: 'offered' }],
      },
    },
    readingCredits: {
      tags: 'busy',
      invoke: {
        id: 'creditBalance',
        src: 'creditBalance',
        onDone: { target: 'offered', actions: { type: 'keepBalance', params: outputIn } },
        // Money is taken all the same.
        onError: 'offered',
      },
    },
    offered: { always: [{ guard: 'isGift', target: 'writing' }, { target: 'ready' }] },
    /** The form of a gift: its recipient, the message, and the day to send it. */
    writing: {
      meta: { spec: ['S3.gift'] },
      entry: 'dropFields',
      on: {
        'gift.submitted': { target: 'previewing', actions: { type: 'keepForm', params: ({ event }) => event.pii.form } },
        'gift.rejected': { actions: { type: 'keepFormFields', params: ({ event }) => event.fields } },
      },
    },
    previewing: {
      tags: 'busy',
      invoke: {
        id: 'giftLetter',
        src: 'giftLetter',
        input: ({ context: { titleId, cart, pii } }) => ({
          titleId,
          titleIds: cart === null ? null : payableIds(cart),
          pii: { form: pii.gift },
        }),
        onDone: { target: 'ready', actions: { type: 'keepLetter', params: outputIn } },
        onError: { target: 'writing', actions: { type: 'keepProblem', params: problemIn } },
      },
    },
    /** The summary: the goods, their price, and the one button that starts a payment. */
    ready: {
      meta: { spec: ['S2./title/purchase'] },
      entry: 'dropTax',
      invoke: { id: 'tax', src: 'tax', input: ({ context }) => taxedBy(context) },
      on: {
        'tax.told': { actions: { type: 'keepTax', params: ({ event }) => event.tax } },
        'tax.outdated': 'priceChanged',
        'code.submitted': {
          guard: 'isCodeless',
          target: 'applying',
          actions: { type: 'keepCode', params: ({ event }) => event.pii.form },
        },
        'code.rejected': {
          guard: 'isCodeless',
          actions: { type: 'keepCodeFields', params: ({ event }) => event.fields },
        },
        'code.removed': { guard: 'isReduced', target: 'removing', actions: 'dropFields' },
        'card.chosen': choosesCard,
        'credits.chosen': choosesCredits,
        'method.chosen': choosesMethod,
        'change.pressed': { guard: 'isGift', target: 'writing', actions: 'dropLetter' },
        'pay.pressed': [
          { guard: 'mayPay', target: 'paying', actions: 'dropFields' },
          { guard: 'isVisitor', actions: 'askSignIn' },
        ],
      },
    },
    /** The summary stays on the screen in the meantime. */
    applying: {
      meta: { spec: ['S7.redeem/apply', 'S7.cart/titles'] },
      tags: 'busy',
      exit: 'dropCode',
      invoke: {
        id: 'applyCode',
        src: 'applyCode',
        input: ({ context }) => ({ ...repricing(context), pii: { form: context.pii.code } }),
        ...repriced,
      },
    },
    removing: {
      tags: 'busy',
      invoke: { id: 'removeCode', src: 'removeCode', input: ({ context }) => repricing(context), ...repriced },
    },
    paying: {
      meta: { spec: ['S7.checkout/cart/session', 'S7.checkout/subscription/session', 'S7.subscription/purchase'] },
      entry: ['dropCards', 'dropLetter', 'beginAction'],
      exit: 'endAction',
      invoke: {
        id: 'payment',
        src: 'payment',
        input: ({ context }) => orderOf(context),
        onDone: { target: 'paid', actions: { type: 'keepOutcome', params: outputIn } },
      },
      // The way to the gateway's page, and word of who comes back from it.
      on: { leave: { actions: 'passOn' }, 'page.returned': { actions: 'tellPayment' } },
    },
    paid: {
      always: [
        endsAs('succeeded'),
        { guard: 'isToChange', target: 'quoted', actions: 'dropTransaction' },
        endsAs('failed'),
        endsAs('cancelled'),
        endsAs('priceChanged'),
        { guard: { type: 'endedAs', params: 'notFound' }, target: 'paymentNotFound' },
        { guard: 'isAlreadySubscribed', target: 'owned' },
        { guard: 'isOtherCart', target: 'priceChanged' },
        // The server knows of no such payment and made no charge; or the title is owned by now.
        { target: 'arriving', actions: ['startAfresh', 'dropForm', 'goBeginning'] },
      ],
    },
    succeeded: {
      tags: 'busy',
      entry: ['goSuccess', 'dropForm'],
      invoke: { id: 'forgetPaid', src: 'forgetPending', input: ({ context }) => forgotten(context, true) },
      on: { 'continue.pressed': { actions: 'goSuccess' } },
    },
    failed: unpaid('forgetFailed'),
    cancelled: unpaid('forgetCancelled'),
    /** The goods, or their price, are not those that were shown; no charge is made. */
    priceChanged: unpaid('forgetPrice'),
    /** The server knows of no such payment. */
    paymentNotFound: unpaid('forgetUnknown'),
    /** It is the customer's already. */
    owned: { entry: 'dropForm', on: { 'read.pressed': { actions: 'goRead' } } },
    /** The store has no gifts, or no subscriptions. */
    notOffered: {},
    /** The title is not sold, or there is nothing in the cart to pay for. */
    notForSale: { entry: ['dropCards', 'dropForm'] },
    /** The server does not know the title, or the plan. */
    notFound: { entry: 'dropForm' },
    unavailable: { on: { 'retry.pressed': 'quoting' } },
  },
});

function requestOf({ of, titleId, planId, countries }: Context): OfferRequest {
  return { of, titleId, planId, countries };
}

function repricing(context: Context): Repricing {
  return { ...requestOf(context), plan: context.plan, prices: context.title?.prices ?? [] };
}

function taxedBy(context: Context): TaxInput {
  const { of, titleId, price, signedIn } = context;
  return { of, titleId: isOfCart(context) ? '' : titleId, price, isDue: signedIn && isTaxed(context) };
}

function orderOf(context: Context): Order {
  const { of, titleId, planId, cart, price, key, transId, intentId, pii } = context;
  return {
    of,
    titleId,
    titleIds: cart === null ? null : payableIds(cart),
    planId,
    price,
    free: costsNothing(context),
    key,
    transId,
    intentId,
    ...paidBy(context, isTaxed(context)),
    gift: isGift(context) ? { pii: { form: pii.gift } } : null,
  };
}

function forgotten({ of, titleId }: Context, isPaid: boolean) {
  return { of, titleId, isPaid };
}
