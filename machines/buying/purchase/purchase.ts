import { getPayableIds } from '../../model/buying/cart.ts';
import { isTaxed } from '../../model/buying/tax.ts';
import { getOutput, getProblem } from '../../ports.ts';
import type { Order, PaymentOutcome } from '../payment-setup.ts';
import type { TaxInput } from '../tax.ts';
import { onCardChosen, onCreditsChosen, onMethodChosen, toPaymentFields } from '../ways-to-pay.ts';
import { createContext, isFreeTitle, type Context } from './context.ts';
import { isGift, isCartPurchase, type NewPrice, type OfferRequest, type PriceRequest } from './offer.ts';
import { purchaseSetup } from './purchase-setup.ts';

/** The transition from the payment's outcome to the state of the same name. */
const onOutcome = <Ended extends PaymentOutcome>(outcome: Ended) =>
  ({ guard: { type: 'endedAs', params: outcome }, target: outcome }) as const;

/** A state after an unsuccessful payment: forgets the payment; a retry starts a new one. */
const toUnpaidState = <Id extends string>(id: Id) =>
  ({
    entry: ['forgetPayment', 'dropCards', 'dropForm'],
    invoke: { id, src: 'forgetPending', input: ({ context }: { context: Context }) => toForgetInput(context, false) },
    on: { 'retry.pressed': { target: 'arriving', actions: 'goToStart' } },
  }) as const;

/** `onDone` and `onError` of applying or removing a code, which reprices the offer. */
const onRepriced = {
  onDone: [
    { guard: { type: 'leavesNothing', params: getOutput<NewPrice> }, target: 'notForSale' },
    { target: 'ready', actions: { type: 'keepNewPrice', params: getOutput<NewPrice> } },
  ],
  // The offer is unchanged; the reason is shown beside the field.
  onError: { target: 'ready', actions: { type: 'keepCodeProblem', params: getProblem } },
} as const;

/**
 * The purchase of a title, the cart or a plan, for the customer or as a gift: the offer with its
 * price, the gift's form, one payment, then the success page or a next step.
 */
export const purchaseMachine = purchaseSetup.createMachine({
  id: 'purchase',
  context: createContext,
  initial: 'arriving',
  states: {
    arriving: {
      always: [
        { guard: 'isReturning', target: 'paying', meta: { spec: ['S2./checkout/complete'] } },
        { guard: 'isNotOffered', target: 'notOffered' },
        { guard: 'isForNoGoods', target: 'notFound' },
        { target: 'quoting' },
      ],
    },
    quoting: {
      tags: 'busy',
      invoke: {
        id: 'offer',
        src: 'loadOffer',
        input: ({ context }) => toOfferRequest(context),
        onDone: { target: 'quoted', actions: { type: 'keepOffer', params: getOutput } },
        onError: [
          { guard: { type: 'isMissing', params: getProblem }, target: 'notFound' },
          { target: 'unavailable', actions: { type: 'keepProblem', params: getProblem } },
        ],
      },
    },
    quoted: {
      always: [
        { guard: 'isOwned', target: 'owned' },
        { guard: 'hasTransaction', target: 'paying' },
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
        id: 'savedCards',
        src: 'savedCards',
        onDone: [
          { guard: 'costsCredits', target: 'readingCredits', actions: { type: 'keepCards', params: getOutput } },
          { target: 'offered', actions: { type: 'keepCards', params: getOutput } },
        ],
        // Cards can be typed on the gateway's page instead.
        onError: [{ guard: 'costsCredits', target: 'readingCredits' }, { target: 'offered' }],
      },
    },
    readingCredits: {
      tags: 'busy',
      invoke: {
        id: 'creditBalance',
        src: 'creditBalance',
        onDone: { target: 'offered', actions: { type: 'keepBalance', params: getOutput } },
        // The customer can pay with money instead.
        onError: 'offered',
      },
    },
    offered: { always: [{ guard: 'isGift', target: 'writing' }, { target: 'ready' }] },
    /** The form of a gift: recipient, message, and the day to send it. */
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
        id: 'giftPreview',
        src: 'giftPreview',
        input: ({ context: { titleId, cart, pii } }) => ({
          titleId,
          titleIds: cart === null ? null : getPayableIds(cart),
          pii: { form: pii.gift },
        }),
        onDone: { target: 'ready', actions: { type: 'keepPreview', params: getOutput } },
        onError: { target: 'writing', actions: { type: 'keepProblem', params: getProblem } },
      },
    },
    /** The summary: the goods, their price, and the one button that starts a payment. */
    ready: {
      meta: { spec: ['S2./title/purchase'] },
      entry: 'dropTax',
      invoke: { id: 'tax', src: 'tax', input: ({ context }) => toTaxInput(context) },
      on: {
        'tax.changed': { actions: { type: 'keepTax', params: ({ event }) => event.tax } },
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
        'card.chosen': onCardChosen,
        'credits.chosen': onCreditsChosen,
        'method.chosen': onMethodChosen,
        'change.pressed': { guard: 'isGift', target: 'writing', actions: 'dropPreview' },
        'pay.pressed': [
          { guard: 'mayPay', target: 'paying', actions: 'dropFields' },
          { guard: 'isVisitor', actions: 'requestSignIn' },
        ],
      },
    },
    /** Looks up a code; the summary stays on the screen. */
    applying: {
      meta: { spec: ['S7.redeem/apply', 'S7.cart/titles'] },
      tags: 'busy',
      exit: 'dropCode',
      invoke: {
        id: 'applyCode',
        src: 'applyCode',
        input: ({ context }) => ({ ...toPriceRequest(context), pii: { form: context.pii.code } }),
        ...onRepriced,
      },
    },
    removing: {
      tags: 'busy',
      invoke: { id: 'removeCode', src: 'removeCode', input: ({ context }) => toPriceRequest(context), ...onRepriced },
    },
    paying: {
      meta: { spec: ['S7.checkout/cart/session', 'S7.checkout/subscription/session', 'S7.subscription/purchase'] },
      entry: ['dropCards', 'dropPreview', 'startAction'],
      exit: 'endAction',
      invoke: {
        id: 'payment',
        src: 'payment',
        input: ({ context }) => toOrder(context),
        onDone: { target: 'paid', actions: { type: 'keepOutcome', params: getOutput } },
      },
      // Leaves for the gateway's page, and forwards the event of the return to the payment.
      on: { leave: { actions: 'forwardEvent' }, 'page.returned': { actions: 'sendToPayment' } },
    },
    paid: {
      always: [
        onOutcome('succeeded'),
        { guard: 'isToChange', target: 'quoted', actions: 'dropTransaction' },
        onOutcome('failed'),
        onOutcome('cancelled'),
        onOutcome('priceChanged'),
        { guard: { type: 'endedAs', params: 'notFound' }, target: 'paymentNotFound' },
        { guard: 'isAlreadySubscribed', target: 'owned' },
        { guard: 'isOtherCart', target: 'priceChanged' },
        // The server has no such payment and charged nothing; or the customer owns the title by
        // now.
        { target: 'arriving', actions: ['forgetPayment', 'dropForm', 'goToStart'] },
      ],
    },
    succeeded: {
      tags: 'busy',
      entry: ['goSuccess', 'dropForm'],
      invoke: { id: 'forgetPaid', src: 'forgetPending', input: ({ context }) => toForgetInput(context, true) },
      on: { 'continue.pressed': { actions: 'goSuccess' } },
    },
    failed: toUnpaidState('forgetFailed'),
    cancelled: toUnpaidState('forgetCancelled'),
    /** The goods or their price differ from those shown; nothing was charged. */
    priceChanged: toUnpaidState('forgetPrice'),
    /** The server has no such payment. */
    paymentNotFound: toUnpaidState('forgetUnknown'),
    /** The customer already owns the title, or has a subscription. */
    owned: { entry: 'dropForm', on: { 'read.pressed': { actions: 'goRead' } } },
    /** The store offers no gifts, or no subscriptions. */
    notOffered: {},
    /** The title is not for sale, or the cart has nothing to pay for. */
    notForSale: { entry: ['dropCards', 'dropForm'] },
    /** The server has no such title or plan. */
    notFound: { entry: 'dropForm' },
    unavailable: { on: { 'retry.pressed': 'quoting' } },
  },
});

function toOfferRequest({ of, titleId, planId, countries }: Context): OfferRequest {
  return { of, titleId, planId, countries };
}

function toPriceRequest(context: Context): PriceRequest {
  return { ...toOfferRequest(context), plan: context.plan, prices: context.title?.prices ?? [] };
}

function toTaxInput(context: Context): TaxInput {
  const { of, titleId, price, signedIn } = context;
  return { of, titleId: isCartPurchase(context) ? '' : titleId, price, isDue: signedIn && isTaxed(context) };
}

function toOrder(context: Context): Order {
  const { of, titleId, planId, cart, price, key, transId, intentId, pii } = context;
  return {
    of,
    titleId,
    titleIds: cart === null ? null : getPayableIds(cart),
    planId,
    price,
    free: isFreeTitle(context),
    key,
    transId,
    intentId,
    ...toPaymentFields(context, isTaxed(context)),
    gift: isGift(context) ? { pii: { form: pii.gift } } : null,
  };
}

function toForgetInput({ of, titleId }: Context, isPaid: boolean) {
  return { of, titleId, isPaid };
}
