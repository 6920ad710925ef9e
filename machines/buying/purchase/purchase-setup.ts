import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../../loadable.ts';
import type { Card } from '../../model/buying/card.ts';
import type { FlowInput } from '../../flows/flow-input.ts';
import type { GiftForm, GiftPreview } from '../../model/buying/gift.ts';
import { viewerPath } from '../../model/paths.ts';
import { purchaseStartPath, successPath } from '../../model/purchase-paths.ts';
import type { Problem } from '../../model/problem.ts';
import type { PaidFor } from '../../model/buying/purchase.ts';
import type { RedeemForm } from '../../model/buying/redeem.ts';
import type { FieldProblems } from '../../model/account/session.ts';
import type { CreditBalance } from '../../model/buying/subscription.ts';
import { type Tax } from '../../model/buying/tax.ts';
import { isMissing, requestPort, safePort } from '../../ports.ts';
import { paymentMachine } from '../payment.ts';
import type { PaymentOutcome, PaymentOutput } from '../payment-setup.ts';
import { taxMachine } from '../tax.ts';
import {
  toCardChoice,
  creditsChoice,
  hasEnoughCredits,
  isOffered,
  selectValidCards,
  toMethodChoice,
  noPaymentChoice,
  takesMethod,
} from '../ways-to-pay.ts';
import {
  CHOOSE_AGAIN,
  isFreeTitle,
  hasNoGoods,
  isNotForSale,
  isTotalKnown,
  getPayAction,
  type Context,
  type Events,
} from './context.ts';
import { isGift, isCartPurchase, type NewPrice, type Offer, type OfferRequest, type PriceRequest } from './offer.ts';

/** The codes of refusals that the giver can fix in the gift's form. */
const giftFormCodes = new Set(['gift_day', 'gift_info', 'gift_link', 'giver_link']);

/** The ports, actions and guards of the purchase. */
export const purchaseSetup = setup({
  types: {} as { context: Context; events: Events; input: FlowInput },
  actors: {
    payment: paymentMachine,
    tax: taxMachine,
    /** Rejects with `refused not_found` for an unknown title or plan. */
    loadOffer: requestPort<Offer, OfferRequest>(),
    /** The customer's cards, the default one first. */
    savedCards: requestPort<Card[]>(),
    /** The customer's credit balance. */
    creditBalance: requestPort<CreditBalance>(),
    /**
     * The price with the typed code, which later calls also send. Rejects with `refused` if the
     * code does not reduce the price.
     */
    applyCode: requestPort<NewPrice, PriceRequest & { pii: { form: RedeemForm | null } }>(),
    /** The price without the code, which later calls no longer send. */
    removeCode: requestPort<NewPrice, PriceRequest>(),
    /**
     * A preview of the gift's e-mail, null if the server provides none. The server neither stores
     * nor sends it; the draft stays in this tab.
     */
    giftPreview: requestPort<
      { pii: { preview: GiftPreview | null } },
      { titleId: string; titleIds: readonly string[] | null; pii: { form: GiftForm | null } }
    >(),
    /**
     * Removes the stored payment, so that the next payment starts afresh; once paid, also removes
     * the gift's draft.
     */
    forgetPending: safePort<null, { of: PaidFor; titleId: string; isPaid: boolean }>(),
  },
  actions: {
    keepOffer: assign(applyOffer),
    keepNewPrice: assign((_, newPrice: NewPrice) => ({ ...newPrice, codeProblem: null })),
    keepCards: assign((_, storedCards: Card[]) => selectValidCards(storedCards)),
    dropCards: assign({ cards: [] }),
    keepBalance: assign({ balance: (_, balance: CreditBalance) => balance }),
    keepTax: assign({ tax: (_, tax: Tax | null) => tax }),
    /**
     * The tax is unknown until the tax machine reports it again, since the price may have changed.
     */
    dropTax: assign({ tax: null }),
    chooseCard: assign((_, cardId: string | null) => toCardChoice(cardId)),
    chooseCredits: assign(() => creditsChoice),
    chooseMethod: assign((_, method: string) => toMethodChoice(method)),
    keepCode: assign({
      pii: ({ context }, code: RedeemForm) => ({ ...context.pii, code }),
      fields: {},
      codeProblem: null,
    }),
    dropCode: assign({ pii: ({ context }) => ({ ...context.pii, code: null }) }),
    keepCodeProblem: assign({ codeProblem: (_, problem: Problem) => problem }),
    keepCodeFields: assign({ fields: (_, fields: FieldProblems) => fields, codeProblem: null }),
    keepForm: assign({
      pii: ({ context }, gift: GiftForm) => ({ ...context.pii, gift, preview: null }),
      fields: {},
      problem: null,
    }),
    keepFormFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    keepPreview: assign({
      pii: ({ context }, { pii: { preview } }: { pii: { preview: GiftPreview | null } }) => ({ ...context.pii, preview }),
      problem: null,
    }),
    /** Field problems of a code must not show in the gift form, nor the other way round. */
    dropFields: assign({ fields: {}, codeProblem: null }),
    dropPreview: assign({ pii: ({ context }) => ({ ...context.pii, preview: null }) }),
    /** This tab keeps the draft until the gift is paid, and the next offer restores it. */
    dropForm: assign({ pii: { code: null, gift: null, preview: null } }),
    keepOutcome: assign(applyOutcome),
    keepProblem: keepProblem(),
    forgetPayment: assign({ transId: null, intentId: null, key: null, resume: null }),
    /** A corrected gift is paid for again under the same id, in a new transaction. */
    dropTransaction: assign({ transId: null, ...noPaymentChoice }),
    requestSignIn: sendParent(({ context }) => ({ type: 'signIn.needed', action: getPayAction(context) })),
    startAction: sendParent(({ context }) => ({ type: 'action.started', action: getPayAction(context) })),
    endAction: sendParent({ type: 'action.ended' }),
    forwardEvent: sendParent(({ event }) => event),
    sendToPayment: sendTo('payment', ({ event }) => event),
    goSuccess: sendParent(({ context: { of, transId } }) => {
      const path = successPath(of, transId ?? '');
      // Reloads the page so that the whole shop knows the subscription.
      return of === 'subscription' ? { type: 'leave', url: path } : { type: 'go', to: path, replace: true };
    }),
    /** A retry is a new payment, so the URL must not name the old payment. */
    goToStart: sendParent(({ context }) => ({ type: 'go', to: purchaseStartPath(context), replace: true })),
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
    isForNoGoods: ({ context }) => hasNoGoods(context),
    isOwned: ({ context }) => context.instanceId !== null,
    hasTransaction: ({ context }) => context.transId !== null && context.signedIn,
    isNotForSale: ({ context }) => isNotForSale(context),
    resumesPay: ({ context }) => context.signedIn && context.resume !== CHOOSE_AGAIN && context.resume === getPayAction(context),
    /** Pay was pressed for a price that the title no longer has. */
    resumesOtherPay: ({ context: { of, resume, signedIn } }) =>
      of === 'title' && resume !== null && resume !== CHOOSE_AGAIN && signedIn,
    mayHaveCards: ({ context }) => context.signedIn && !isFreeTitle(context),
    costsCredits: ({ context }) => context.credits !== null,
    isCodeless: ({ context }) => !isFreeTitle(context) && !context.isReduced,
    isReduced: ({ context }) => context.isReduced,
    /** With the code there is nothing left to pay. */
    leavesNothing: (_, { cart }: NewPrice) => cart !== null && cart.total === null,
    isVisitor: ({ context }) => !context.signedIn,
    mayPay: ({ context }) => context.signedIn && isTotalKnown(context),
    endedAs: ({ context }, outcome: PaymentOutcome) => context.outcome === outcome,
    /**
     * The giver must change the form. Without an offer, the customer came back by a redirect and
     * the page has no form.
     */
    isToChange: ({ context: { outcome, problem, days } }) =>
      outcome === 'failed' && problem?.kind === 'refused' && giftFormCodes.has(problem.code) && days !== null,
    isAlreadySubscribed: ({ context: { of, outcome } }) => of === 'subscription' && outcome === 'owned',
    /** The customer has since bought one of the cart's titles, so the cart has changed. */
    isOtherCart: ({ context }) => isCartPurchase(context) && context.outcome === 'owned',
  },
});

function applyOffer({ context }: { context: Context }, { pii, ...offer }: Offer) {
  return {
    ...offer,
    ...noPaymentChoice,
    balance: null,
    problem: null,
    codeProblem: null,
    fields: {},
    pii: { ...context.pii, gift: pii.draft, preview: null },
  };
}

/** A payment that was resumed by its transaction may have another purpose. */
function applyOutcome({ context }: { context: Context }, { outcome, titleId, transId, problem, paidFor }: PaymentOutput) {
  const of = paidFor ?? context.of;
  return { of, outcome, titleId: isCartPurchase({ of }) ? '' : titleId || context.titleId, transId, problem, resume: null };
}
