import type { FlowInput, FlowNews } from '../../flows/flow-input.ts';
import type { GiftForm, GiftLetter } from '../../model/buying/gift.ts';
import { isFree } from '../../model/catalogue/price.ts';
import type { Problem } from '../../model/problem.ts';
import { PaidFor } from '../../model/buying/purchase.ts';
import type { RedeemForm } from '../../model/buying/redeem.ts';
import type { FieldProblems } from '../../model/account/session.ts';
import { isTaxed, type TaxShown } from '../../model/buying/tax.ts';
import type { Outcome } from '../payment-setup.ts';
import type { TaxNews } from '../tax.ts';
import type { CreditsChosen, WayChosen, Ways } from '../ways-to-pay.ts';
import { isGift, isOfCart, noOffer, type Offer, type OfferRequest } from './offer.ts';

/** The context of a purchase: the offer, the ways to pay for it, and the outcome of the payment. */
export type Context = OfferRequest &
  Omit<Offer, 'key' | 'pii'> &
  Ways &
  TaxShown & {
    /** The store sells such things; titles that cost nothing stay where it does not. */
    isSold: boolean;
    signedIn: boolean;
    /** The action that the visitor pressed before sign-in. */
    resume: string | null;
    key: string | null;
    /** With which the gateway has led back. */
    intentId: string | null;
    outcome: Outcome | null;
    problem: Problem | null;
    /** Why a code was not taken. */
    codeProblem: Problem | null;
    /** The problems of the fields of the form that was submitted last. */
    fields: FieldProblems;
    /**
     * The code while it is looked up; the words of a gift, and the e-mail that they make, where the
     * server shows it.
     */
    pii: { code: RedeemForm | null; gift: GiftForm | null; letter: GiftLetter | null };
  };

export type Events =
  | FlowNews
  | TaxNews
  | WayChosen
  | CreditsChosen
  | { type: 'gift.submitted'; pii: { form: GiftForm } }
  | { type: 'gift.rejected'; fields: FieldProblems }
  | { type: 'change.pressed' }
  | { type: 'code.submitted'; pii: { form: RedeemForm } }
  | { type: 'code.rejected'; fields: FieldProblems }
  | { type: 'code.removed' }
  | { type: 'pay.pressed' }
  | { type: 'retry.pressed' }
  | { type: 'read.pressed' }
  | { type: 'continue.pressed' }
  | { type: 'leave'; url: string };

/** The purpose of the purchase, as the address names it. */
const boughtAt = ({ of = 'title', as }: Record<string, string>): PaidFor => {
  if (as === 'gift') return of === 'cart' ? 'cartGift' : 'gift';
  return PaidFor.options.find((each) => each === of) ?? 'title';
};

/**
 * The payment with which the gateway has led back: a subscription has its own id, and its intent.
 */
const returnedIn = ({ transId, subscriptionid, intentId }: Record<string, string>) =>
  subscriptionid === undefined || intentId === undefined
    ? { transId: transId || null, intentId: null }
    : { transId: subscriptionid, intentId };

const isSoldIn = (of: PaidFor, { store }: FlowInput): boolean => {
  if (of === 'subscription') return store.enableSubscription;
  return store.showBuyTitle && (!isGift({ of }) || store.enableGiftingTitle);
};

/** The context with which a purchase begins. */
export const contextOf = ({ input }: { input: FlowInput }): Context => {
  const { route, store, signedIn, resume } = input;
  const of = boughtAt(route.params);
  const { pii: _, ...nothing } = noOffer;
  return {
    of,
    titleId: route.params['titleid'] ?? '',
    planId: route.params['planid'] ?? '',
    countries: store.purchaseCountries,
    isSold: isSoldIn(of, input),
    signedIn,
    resume,
    ...nothing,
    ...returnedIn(route.params),
    key: null,
    cards: [],
    cardId: null,
    balance: null,
    withCredits: false,
    method: null,
    addsTax: store.enableTax,
    tax: null,
    outcome: null,
    problem: null,
    codeProblem: null,
    fields: {},
    pii: { code: null, gift: null, letter: null },
  };
};

/**
 * The action to resume after sign-in where no card was to pay, or tax is still to be added: the
 * customer chooses again.
 */
export const choose = 'choose';

/** Pay as the action to resume after sign-in: for the price that was pressed, and for no other. */
export const payAction = (context: Context): string => {
  const { of, price, withCredits, method } = context;
  if (of !== 'title' || withCredits || isTaxed(context) || method !== null) return choose;
  return price === null ? 'pay' : `pay-${price.amount}-${price.currency}`;
};

/** The address names no title, and no plan. */
export const isForNothing = ({ of, titleId, planId }: Pick<Context, 'of' | 'titleId' | 'planId'>): boolean =>
  !isOfCart({ of }) && (of === 'subscription' ? planId : titleId) === '';

/** Nothing is to be paid for it. */
export const costsNothing = ({ title }: Pick<Context, 'title'>): boolean => title !== null && isFree(title);

/** The title, or every title in the cart, is not for sale. */
export const isNotForSale = ({ of, title, cart, plan, isSold }: Context): boolean => {
  if (of === 'subscription') return plan === null;
  if (isOfCart({ of })) return !isSold || (cart?.total ?? null) === null;
  return title?.forSale !== true || (!isSold && !isFree(title));
};

/** The amount to charge is known: no tax is still to be added. */
export const isPriced = (context: Context): boolean => context.withCredits || !isTaxed(context) || context.tax !== null;
