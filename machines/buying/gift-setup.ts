import { assign, sendParent, sendTo, setup } from 'xstate';
import { keepProblem } from '../loadable.ts';
import { cartCheckoutPath, cartGiftPath } from '../model/cart-paths.ts';
import type { Card } from '../model/card.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import type { GiftForm, GiftLetter } from '../model/gift.ts';
import { giftPath, titlePath } from '../model/paths.ts';
import { isFree } from '../model/price.ts';
import type { FieldProblems } from '../model/session.ts';
import type { CreditBalance } from '../model/subscription.ts';
import { successPath } from '../model/payment-paths.ts';
import { isTaxed, type Tax } from '../model/tax.ts';
import { isMissing, requestPort, safePort } from '../ports.ts';
import { ofForm, type GiftContext, type GiftOffer, type GiftRequest } from './gift-context.ts';
import { paymentMachine, type Outcome, type PaymentOutput } from './payment.ts';
import { taxMachine, type TaxNews } from './tax.ts';
import {
  cardChosen,
  creditsChosen,
  type CreditsChosen,
  hasEnoughCredits,
  isOffered,
  keptCards,
  methodChosen,
  offeredWays,
  takesMethod,
  type WayChosen,
} from './ways-to-pay.ts';

/** What giving does, and by which ports; `gift.ts` says when. */
export const giftSetup = setup({
  types: {} as {
    context: GiftContext;
    events:
      | FlowNews
      | TaxNews
      | { type: 'gift.submitted'; pii: { form: GiftForm } }
      | { type: 'gift.rejected'; fields: FieldProblems }
      | { type: 'change.pressed' }
      | { type: 'pay.pressed' }
      | WayChosen
      | CreditsChosen
      | { type: 'cancel.pressed' }
      | { type: 'retry.pressed' }
      | { type: 'leave'; url: string };
    input: FlowInput;
  },
  actors: {
    payment: paymentMachine,
    tax: taxMachine,
    /** Rejects with `refused not_found` for an unknown title. */
    giftOffer: requestPort<GiftOffer, GiftRequest>(),
    /** The customer's cards, the default one first. */
    keptCards: requestPort<Card[]>(),
    /** How many credits the customer has. */
    creditBalance: requestPort<CreditBalance>(),
    /**
     * The e-mail as it will look, null where the server does not show it. Nothing is kept of it,
     * and nothing sent; the giver’s words stay in this tab.
     */
    giftLetter: requestPort<
      { pii: { letter: GiftLetter | null } },
      { titleId: string; titleIds?: readonly string[]; pii: { form: GiftForm | null } }
    >(),
    /**
     * Forgets the remembered payment, so that the next gift starts afresh; the draft, too, once it
     * is sent.
     */
    forgetPending: safePort<null, { isSent: boolean }>(),
  },
  actions: {
    keepOffer: assign(({ context }, { title, cart, price, credits, methods, days, key, transId, pii }: GiftOffer) => ({
      title,
      ...(cart === undefined ? {} : { cart }),
      price,
      ...(credits === undefined ? {} : { credits }),
      ...offeredWays(context, methods),
      days,
      key,
      transId,
      problem: null,
      pii: { form: pii.draft, letter: null },
    })),
    keepBalance: assign({ balance: (_, balance: CreditBalance) => balance }),
    keepCards: assign((_, all: Card[]) => keptCards(all)),
    keepTax: assign({ tax: (_, tax: Tax | null | undefined) => tax ?? null }),
    /** Until it is told anew: the price may be another one by now. */
    dropTax: assign(({ context }) => (context.tax === undefined ? {} : { tax: null })),
    chooseCard: assign(({ context }, cardId: string | null) => cardChosen(context, cardId)),
    chooseCredits: assign(({ context }) => creditsChosen(context)),
    chooseMethod: assign(({ context }, method: string) => methodChosen(context, method)),
    keepForm: assign({ pii: (_, form: GiftForm) => ({ form, letter: null }), fields: {}, problem: null }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, problem: null }),
    keepLetter: assign({
      pii: ({ context }, { pii: { letter } }: { pii: { letter: GiftLetter | null } }) => ({ form: context.pii.form, letter }),
      problem: null,
    }),
    dropLetter: assign({ pii: ({ context }) => ({ form: context.pii.form, letter: null }) }),
    dropCards: assign({ cards: [] }),
    /** It stays in this tab until it is sent, and comes back with the next offer. */
    dropForm: assign({ pii: { form: null, letter: null } }),
    keepOutcome: assign(({ context }, { outcome, titleId, transId, problem }: PaymentOutput) => ({
      outcome,
      titleId: titleId || context.titleId,
      transId,
      problem,
    })),
    keepProblem: keepProblem(),
    startAfresh: assign({ transId: null, key: null }),
    dropTransaction: assign(({ context }) => ({ transId: null, ...offeredWays(context, context.methods) })),
    passOn: sendParent(({ event }) => event),
    tellPayment: sendTo('payment', ({ event }) => event),
    goSuccess: sendParent(({ context: { transId, ofCart } }) => ({
      type: 'go',
      to: successPath(ofCart ? 'cartGift' : 'gift', transId ?? ''),
      replace: true,
    })),
    goBack: sendParent(({ context: { title, titleId, ofCart } }) => ({
      type: 'go',
      to: ofCart ? cartCheckoutPath : titlePath(titleId, title?.name ?? ''),
      replace: false,
    })),
    /** Trying again is a new payment: the address must not name the old one any more. */
    goGift: sendParent(({ context: { titleId, ofCart } }) => ({
      type: 'go',
      to: ofCart ? cartGiftPath : giftPath(titleId),
      replace: true,
    })),
  },
  guards: {
    isMissing,
    isReturning: ({ context }) => context.transId !== null,
    hasNoGifts: ({ context }) => !context.offers,
    isForNothing: ({ context }) => context.titleId === '' && !context.ofCart,
    isNotForSale: ({ context: { cart, title } }) => (cart === undefined ? title?.forSale !== true : cart.total === null),
    /** What is charged is known: nothing is added any more. */
    isPriced: ({ context }) => context.withCredits === true || !isTaxed(context) || (context.tax ?? null) !== null,
    isFree: ({ context }) => context.title !== null && isFree(context.title),
    isOffered,
    takesMethod,
    costsCredits: ({ context }) => context.credits !== undefined,
    hasEnoughCredits,
    endedAs: ({ context }, outcome: Outcome) => context.outcome === outcome,
    /**
     * The giver has to change the form; without the title this is a page that has been left since.
     */
    isToChange: ({ context: { outcome, problem, days } }) =>
      outcome === 'failed' && problem?.kind === 'refused' && ofForm.has(problem.code) && days !== null,
  },
});
