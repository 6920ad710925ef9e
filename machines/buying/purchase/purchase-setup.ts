import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../../loadable.ts';
import type { Card } from '../../model/buying/card.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { GiftForm, GiftLetter } from '../../model/buying/gift.ts';
import { beginningPath, successPath, viewerPath } from '../../model/paths.ts';
import type { Problem } from '../../model/problem.ts';
import type { PaidFor } from '../../model/buying/purchase.ts';
import type { RedeemForm } from '../../model/buying/redeem.ts';
import type { FieldProblems } from '../../model/account/session.ts';
import type { CreditBalance } from '../../model/buying/subscription.ts';
import { type Tax } from '../../model/buying/tax.ts';
import { isMissing, requestPort, safePort } from '../../ports.ts';
import { paymentMachine } from '../payment.ts';
import type { Outcome, PaymentOutput } from '../payment-setup.ts';
import { taxMachine } from '../tax.ts';
import {
  cardChosen,
  creditsChosen,
  hasEnoughCredits,
  isOffered,
  keptCards,
  methodChosen,
  nothingChosen,
  takesMethod,
} from '../ways-to-pay.ts';
import { choose, costsNothing, isForNothing, isNotForSale, isPriced, payAction, type Context, type Events } from './context.ts';
import { isGift, isOfCart, type NewPrice, type Offer, type OfferRequest, type Repricing } from './offer.ts';

/** Refusals of what the giver has written. */
const ofForm = new Set(['gift_day', 'gift_info', 'gift_link', 'giver_link']);

/** The ports, actions and guards of the purchase. */
export const purchaseSetup = setup({
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
    isForNothing: ({ context }) => isForNothing(context),
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

function offered({ context }: { context: Context }, { pii, ...offer }: Offer) {
  return {
    ...offer,
    ...nothingChosen,
    balance: null,
    problem: null,
    codeProblem: null,
    fields: {},
    pii: { ...context.pii, gift: pii.draft, letter: null },
  };
}

/** A payment that was taken up by its transaction may have been for something else. */
function ended({ context }: { context: Context }, { outcome, titleId, transId, problem, paidFor }: PaymentOutput) {
  const of = paidFor ?? context.of;
  return { of, outcome, titleId: isOfCart({ of }) ? '' : titleId || context.titleId, transId, problem, resume: null };
}
