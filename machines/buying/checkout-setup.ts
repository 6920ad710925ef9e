import { assign, sendParent, sendTo, setup, stopChild } from 'xstate';
import { keepProblem } from '../loadable.ts';
import type { Card } from '../model/card.ts';
import type { FlowInput, FlowNews } from '../flows/flow-input.ts';
import { viewerPath } from '../model/paths.ts';
import { isFree } from '../model/price.ts';
import type { PaidFor } from '../model/purchase.ts';
import type { RedeemForm } from '../model/redeem.ts';
import type { FieldProblems } from '../model/session.ts';
import type { Problem } from '../model/problem.ts';
import type { CreditBalance } from '../model/subscription.ts';
import { isTaxed, type Tax, type TaxShown } from '../model/tax.ts';
import type { Price, TitleSummary } from '../model/title.ts';
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
  type Ways,
} from './ways-to-pay.ts';
import { isMissing, requestPort, safePort } from '../ports.ts';
import { beginningPath, successPath } from '../model/payment-paths.ts';

/** What a quote is asked for; the store's countries decide in which money, together with the language that the shop speaks. */
export type QuoteRequest = { titleId: string; countries: readonly string[] };

/**
 * What is bought and for how much. `key` is the idempotency key of this attempt: the one that an unfinished purchase of
 * the same title left behind, else a new one; `transId` belongs to that unfinished purchase.
 */
export type Quote = {
  title: TitleSummary;
  price: Price | null;
  /** The customer's own copy, when they have one already. */
  instanceId: string | null;
  key: string;
  transId: string | null;
  /** What it costs in credits, where it can be had for them. */
  credits?: number;
  /** A code has taken something off the price. */
  isReduced?: boolean;
  /** What the gateway's page takes beside cards; left out where that is nothing. */
  methods?: readonly string[];
};

/** What a title costs after a code was typed, or taken back, and the key of an attempt at that price. */
export type NewPrice = { price: Price | null; key: string };

/** The prices of the title before, and what decides between them. */
type Repricing = { titleId: string; prices: readonly Price[]; countries: readonly string[] };

type Context = QuoteRequest &
  TaxShown &
  Ways & {
    transId: string | null;
    key: string | null;
    signedIn: boolean;
    /** The store sells no titles; free ones stay. */
    sellsNone?: true;
    resume: string | null;
    title: TitleSummary | null;
    price: Price | null;
    instanceId: string | null;
    isReduced?: boolean;
    /** Why a code was not taken, and what is wrong with what was typed. */
    codeProblem?: Problem | null;
    fields?: FieldProblems;
    /** Held while the code is looked up. */
    pii?: { form: RedeemForm | null };
    outcome: Outcome | null;
    /** The purpose of a payment that was taken up by its transaction: perhaps no single title. */
    paidFor?: PaidFor;
    problem: Problem | null;
  };

/** What goes on after sign-in where something else than a card was to pay, or tax is still to be added: choosing again. */
const choose = 'choose';

/** Pay as what goes on after sign-in: for the price that was pressed, and for no other. */
const payAction = (context: Pick<Context, 'price' | 'withCredits' | 'method' | 'addsTax' | 'title'>): string => {
  const { price, withCredits, method } = context;
  if (withCredits === true || isTaxed(context) || (method ?? null) !== null) return choose;
  return price === null ? 'pay' : `pay-${price.amount}-${price.currency}`;
};

/** What the checkout does, and by which ports; `checkout.ts` says when. */
export const checkoutSetup = setup({
  types: {} as {
    context: Context;
    events:
      | FlowNews
      | { type: 'pay.pressed' }
      | WayChosen
      | CreditsChosen
      | TaxNews
      | { type: 'code.submitted'; pii: { form: RedeemForm } }
      | { type: 'code.rejected'; fields: FieldProblems }
      | { type: 'code.removed' }
      | { type: 'cancel.pressed' }
      | { type: 'retry.pressed' }
      | { type: 'read.pressed' }
      | { type: 'leave'; url: string };
    input: FlowInput;
  },
  actors: {
    payment: paymentMachine,
    tax: taxMachine,
    /** What a typed code leaves of the price; it goes along from now on. Rejects with `refused` for one that takes nothing off. */
    applyCode: requestPort<NewPrice, Repricing & { pii: { form: RedeemForm | null } }>(),
    /** No code goes along any more. */
    removeCode: safePort<NewPrice, Repricing>(),
    /** Rejects with `refused not_found` for an unknown title. */
    quote: requestPort<Quote, QuoteRequest>(),
    /** The customer's cards, the default one first. */
    keptCards: requestPort<Card[]>(),
    /** How many credits the customer has. */
    creditBalance: requestPort<CreditBalance>(),
    /** Forgets the remembered purchase, so that the next one starts afresh. */
    forgetPending: safePort<null, { titleId: string; paidFor: PaidFor; isPaid: boolean }>(),
  },
  actions: {
    keepQuote: assign(({ context }, { title, price, instanceId, key, transId, credits, isReduced, methods }: Quote) => ({
      title,
      price,
      instanceId,
      key,
      transId,
      problem: null,
      ...(credits === undefined ? {} : { credits }),
      ...offeredWays(context, methods),
      ...(isReduced === undefined && context.isReduced === undefined ? {} : { isReduced: isReduced === true }),
    })),
    keepTax: assign({ tax: (_, tax: Tax | null | undefined) => tax ?? null }),
    /** Until it is told anew: the price may be another one by now. */
    dropTax: assign(({ context }) => (context.tax === undefined ? {} : { tax: null })),
    /** In `checkout.ts`: what may start a child has to know all guards of the setup. */
    startTax: stopChild('tax'),
    stopTax: stopChild('tax'),
    keepForm: assign({ pii: (_, form: RedeemForm) => ({ form }), fields: {}, codeProblem: null }),
    dropForm: assign({ pii: { form: null } }),
    keepFields: assign({ fields: (_, fields: FieldProblems) => fields, codeProblem: null }),
    keepNewPrice: assign((_, { price, key }: NewPrice) => ({ price, key, isReduced: true, codeProblem: null })),
    keepUsualPrice: assign(({ context }, { price, key }: NewPrice) => ({
      price: price ?? context.title?.prices[0] ?? null,
      key,
      isReduced: false,
    })),
    keepCodeProblem: assign({ codeProblem: (_, problem: Problem) => problem }),
    forgetCode: assign({ codeProblem: null }),
    keepCards: assign((_, all: Card[]) => keptCards(all)),
    keepBalance: assign({ balance: (_, balance: CreditBalance) => balance }),
    dropCards: assign({ cards: [] }),
    chooseCard: assign(({ context }, cardId: string | null) => cardChosen(context, cardId)),
    chooseCredits: assign(({ context }) => creditsChosen(context)),
    chooseMethod: assign(({ context }, method: string) => methodChosen(context, method)),
    keepOutcome: assign((_, output: PaymentOutput) => ({ ...output, resume: null })),
    keepProblem: keepProblem(),
    startAfresh: assign({ transId: null, key: null, resume: null }),
    askSignIn: sendParent(({ context }) => ({ type: 'signIn.needed', action: payAction(context) })),
    beginAction: sendParent(({ context }) => ({ type: 'action.begun', action: payAction(context) })),
    endAction: sendParent({ type: 'action.ended' }),
    passOn: sendParent(({ event }) => event),
    tellPayment: sendTo('payment', ({ event }) => event),
    goSuccess: sendParent(({ context }) => ({
      type: 'go',
      to: successPath(context.paidFor ?? 'title', context.transId ?? ''),
      replace: true,
    })),
    /** Trying again is a new purchase: the address must not name the old one any more. */
    goPurchase: sendParent(({ context }) => ({
      type: 'go',
      to: beginningPath(context.paidFor ?? 'title', context.titleId),
      replace: true,
    })),
    goRead: sendParent(({ context }) => ({
      type: 'go',
      to: viewerPath(context.instanceId ?? ''),
      replace: false,
    })),
  },
  guards: {
    isMissing,
    isForNothing: ({ context }) => context.titleId === '',
    isReturning: ({ context }) => context.transId !== null,
    isOwned: ({ context }) => context.instanceId !== null,
    isNotForSale: ({ context: { title, sellsNone } }) => title?.forSale !== true || (sellsNone === true && !isFree(title)),
    isVisitor: ({ context }) => !context.signedIn,
    /** A customer, and what is charged is known: nothing is added any more. */
    mayPay: ({ context }) =>
      context.signedIn && (context.withCredits === true || !isTaxed(context) || (context.tax ?? null) !== null),
    isCodeless: ({ context: { title, isReduced } }) => title !== null && !isFree(title) && isReduced !== true,
    isReduced: ({ context }) => context.isReduced === true,
    isOffered,
    takesMethod,
    hasEnoughCredits,
    costsCredits: ({ context }) => context.credits !== undefined,
    mayHaveCards: ({ context: { signedIn, title } }) => signedIn && title !== null && !isFree(title),
    resumesPay: ({ context }) => context.resume === payAction(context) && context.signedIn,
    /** Pay was pressed for a price that the title no longer has. */
    resumesOtherPay: ({ context: { resume, signedIn } }) => resume !== null && resume !== choose && signedIn,
    isReturningSignedIn: ({ context }) => context.transId !== null && context.signedIn,
    endedAs: ({ context }, outcome: Outcome) => context.outcome === outcome,
  },
});
