import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../../loadable.ts';
import type { Card } from '../../model/card.ts';
import { payableIds } from '../../model/cart.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { GiftForm, GiftLetter } from '../../model/gift.ts';
import { beginningPath, successPath, viewerPath } from '../../model/paths.ts';
import type { Problem } from '../../model/problem.ts';
import type { PaidFor } from '../../model/purchase.ts';
import type { RedeemForm } from '../../model/redeem.ts';
import type { FieldProblems } from '../../model/session.ts';
import type { CreditBalance } from '../../model/subscription.ts';
import { isTaxed, type Tax } from '../../model/tax.ts';
import { isMissing, outputIn, problemIn, requestPort, safePort } from '../../ports.ts';
import { paymentMachine, type Order, type Outcome, type PaymentOutput } from '../payment.ts';
import { taxMachine, type TaxInput } from '../tax.ts';
import {
  cardChosen,
  choosesCard,
  choosesCredits,
  choosesMethod,
  creditsChosen,
  hasEnoughCredits,
  isOffered,
  keptCards,
  methodChosen,
  nothingChosen,
  paidBy,
  takesMethod,
} from '../ways-to-pay.ts';
import { choose, contextOf, costsNothing, isNotForSale, isPriced, payAction, type Context, type Events } from './context.ts';
import { isGift, isOfCart, type NewPrice, type Offer, type OfferRequest, type Repricing } from './offer.ts';

/** Refusals of what the giver has written. */
const ofForm = new Set(['gift_day', 'gift_info', 'gift_link', 'giver_link']);

const purchaseSetup = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    payment: paymentMachine,
    tax: taxMachine,
    /** Rejects with `refused not_found` for an unknown title or plan. */
    loadOffer: requestPort<Offer, OfferRequest>(),
    /** The customer's cards, the default one first. */
    keptCards: requestPort<Card[]>(),
    /** How many credits the customer has. */
    creditBalance: requestPort<CreditBalance>(),
    /**
     * The price with a typed code, which is sent along from now on. Rejects with `refused` for a
     * code that does not reduce the price.
     */
    applyCode: requestPort<NewPrice, Repricing & { pii: { form: RedeemForm | null } }>(),
    /** No code goes along any more. */
    removeCode: requestPort<NewPrice, Repricing>(),
    /**
     * The e-mail of a gift as it will look, null where the server does not show it. It is neither
     * kept nor sent; the giver’s words stay in this tab.
     */
    giftLetter: requestPort<
      { pii: { letter: GiftLetter | null } },
      { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } }
    >(),
    /**
     * Forgets the remembered payment, so that the next one starts afresh; once it is paid, the
     * words of a gift, too.
     */
    forgetPending: safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(),
  },
  actions: {
    keepOffer: assign(offered),
    keepNewPrice: assign((_, newPrice: NewPrice) => ({ ...newPrice, codeProblem: null })),
    keepCards: assign((_, all: Card[]) => keptCards(all)),
    dropCards: assign({ cards: [] }),
    keepBalance: assign({ balance: (_, balance: CreditBalance) => balance }),
    keepTax: assign({ tax: (_, tax: Tax | null) => tax }),
    /** Until the tax machine reports it again: the price may have changed by now. */
    dropTax: assign({ tax: null }),
    chooseCard: assign((_, cardId: string | null) => cardChosen(cardId)),
    chooseCredits: assign(() => creditsChosen),
    chooseMethod: assign((_, method: string) => methodChosen(method)),
    keepCode: assign({
      pii: ({ context }, code: RedeemForm) => ({ ...context.pii, code }),
      fields: {},
      codeProblem: null,
    }),
    dropCode: assign({ pii: ({ context }) => ({ ...context.pii, code: null }) }),
    keepCodeProblem: assign({ codeProblem: (_, problem: Problem) => problem }),
    keepCodeFields: assign({ fields: (_, fields: FieldProblems) => fields, codeProblem: null }),
    keepForm: assign({
      pii: ({ context }, gift: GiftForm) => ({ ...context.pii, gift, letter: null }),
      fields: {},
      problem: null,
    }),
    keepFormFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    keepLetter: assign({
      pii: ({ context }, { pii: { letter } }: { pii: { letter: GiftLetter | null } }) => ({ ...context.pii, letter }),
      problem: null,
    }),
    /** The problems of a code do not belong to the form of a gift, nor the other way round. */
    dropFields: assign({ fields: {}, codeProblem: null }),
    dropLetter: assign({ pii: ({ context }) => ({ ...context.pii, letter: null }) }),
    /** It stays in this tab until it is sent, and comes back with the next offer. */
    dropForm: assign({ pii: { code: null, gift: null, letter: null } }),
    keepOutcome: assign(ended),
    keepProblem: keepProblem(),
    startAfresh: assign({ transId: null, intentId: null, key: null, resume: null }),
    /** The same gift is paid again, when its words are right. */
    dropTransaction: assign({ transId: null, ...nothingChosen }),
    askSignIn: sendParent(({ context }) => ({ type: 'signIn.needed', action: payAction(context) })),
    beginAction: sendParent(({ context }) => ({ type: 'action.begun', action: payAction(context) })),
    endAction: sendParent({ type: 'action.ended' }),
    passOn: sendParent(({ event }) => event),
    tellPayment: sendTo('payment', ({ event }) => event),
    goSuccess: sendParent(({ context: { of, transId } }) => {
      const path = successPath(of, transId ?? '');
      // The page is loaded again: all of the shop knows the subscription then.
      return of === 'subscription' ? { type: 'leave', url: path } : { type: 'go', to: path, replace: true };
    }),
    /** Trying again is a new payment: the address must not name the old one any more. */
    goBeginning: sendParent(({ context }) => ({ type: 'go', to: beginningPath(context), replace: true })),
    goRead: sendParent(({ context }) => ({ type: 'go', to: viewerPath(context.instanceId ?? ''), replace: false })),
  },
  guards: {
    isMissing,
    isOffered,
    takesMethod,
    hasEnoughCredits,
    isGift: ({ context }) => isGift(context),
    isReturning: ({ context }) => context.transId !== null,
    isNotOffered: ({ context }) => !context.isSold && (isGift(context) || context.of === 'subscription'),
    isForNothing: ({ context }) =>
      !isOfCart(context) && (context.of === 'subscription' ? context.planId : context.titleId) === '',
    isOwned: ({ context }) => context.instanceId !== null,
    isTakenUp: ({ context }) => context.transId !== null && context.signedIn,
    isNotForSale: ({ context }) => isNotForSale(context),
    resumesPay: ({ context }) => context.signedIn && context.resume !== choose && context.resume === payAction(context),
    /** Pay was pressed for a price that the title no longer has. */
    resumesOtherPay: ({ context: { of, resume, signedIn } }) =>
      of === 'title' && resume !== null && resume !== choose && signedIn,
    mayHaveCards: ({ context }) => context.signedIn && !costsNothing(context),
    costsCredits: ({ context }) => context.credits !== null,
    isCodeless: ({ context }) => !costsNothing(context) && !context.isReduced,
    isReduced: ({ context }) => context.isReduced,
    /** The code takes off all that was to be paid. */
    leavesNothing: (_, { cart }: NewPrice) => cart !== null && cart.total === null,
    isVisitor: ({ context }) => !context.signedIn,
    mayPay: ({ context }) => context.signedIn && isPriced(context),
    endedAs: ({ context }, outcome: Outcome) => context.outcome === outcome,
    /**
     * The giver has to change the form; without an offer this is a page that the customer has left
     * since.
     */
    isToChange: ({ context: { outcome, problem, days } }) =>
      outcome === 'failed' && problem?.kind === 'refused' && ofForm.has(problem.code) && days !== null,
    isAlreadySubscribed: ({ context: { of, outcome } }) => of === 'subscription' && outcome === 'owned',
    /** The customer owns one of its titles by now: the rest is another cart. */
    isOtherCart: ({ context }) => isOfCart(context) && context.outcome === 'owned',
  },
});

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

function offered({ context }: { context: Context }, { pii, ...offer }: Offer) {
  return {
    ...offer,
    ...nothingChosen,
    balance: null,
    problem: null,
    pii: { ...context.pii, gift: pii.draft, letter: null },
  };
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

/** A payment that was taken up by its transaction may have been for something else. */
function ended({ context }: { context: Context }, { outcome, titleId, transId, problem, paidFor }: PaymentOutput) {
  const of = paidFor ?? context.of;
  return { of, outcome, titleId: isOfCart({ of }) ? '' : titleId || context.titleId, transId, problem, resume: null };
}

function forgotten({ of, titleId }: Context, isPaid: boolean) {
  return { of, titleId, isPaid };
}
