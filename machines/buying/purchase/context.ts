import type { FlowInput, FlowSignal } from '../../flows/flow-input.ts';
import type { GiftForm, GiftPreview } from '../../model/buying/gift.ts';
import { isFree } from '../../model/catalogue/price.ts';
import type { Problem } from '../../model/problem.ts';
import { PaidFor } from '../../model/buying/purchase.ts';
import type { RedeemForm } from '../../model/buying/redeem.ts';
import type { FieldProblems } from '../../model/account/session.ts';
import { isTaxed, type TaxDisplay } from '../../model/buying/tax.ts';
import type { PaymentOutcome } from '../payment-setup.ts';
import type { TaxSignal } from '../tax.ts';
import type { CreditsEvent, MethodEvent, PaymentOptions } from '../ways-to-pay.ts';
import { isGift, isCartPurchase, noOffer, type Offer, type OfferRequest } from './offer.ts';

/** The context of a purchase: the offer, the payment options, and the outcome of the payment. */
export type Context = OfferRequest &
  Omit<Offer, 'key' | 'pii'> &
  PaymentOptions &
  TaxDisplay & {
    /** The store sells goods of this kind; free titles are available in any case. */
    isSold: boolean;
    signedIn: boolean;
    /** The action that the visitor pressed before sign-in. */
    resume: string | null;
    key: string | null;
    /** The payment intent of the gateway's redirect. */
    intentId: string | null;
    outcome: PaymentOutcome | null;
    problem: Problem | null;
    /** The reason why a code was refused. */
    codeProblem: Problem | null;
    /** The field problems of the form that was submitted last. */
    fields: FieldProblems;
    /**
     * The typed code until it is looked up; the gift's form, and its e-mail preview if the server
     * provides one.
     */
    pii: { code: RedeemForm | null; gift: GiftForm | null; preview: GiftPreview | null };
  };

export type Events =
  | FlowSignal
  | TaxSignal
  | MethodEvent
  | CreditsEvent
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

/** The purpose of the purchase, from the route's parameters. */
const getPaidFor = ({ of = 'title', as }: Record<string, string>): PaidFor => {
  if (as === 'gift') return of === 'cart' ? 'cartGift' : 'gift';
  return PaidFor.options.find((each) => each === of) ?? 'title';
};

/** The payment of the gateway's redirect; a subscription has its own id, and an intent. */
const getReturnedPayment = ({ transId, subscriptionid, intentId }: Record<string, string>) =>
  subscriptionid === undefined || intentId === undefined
    ? { transId: transId || null, intentId: null }
    : { transId: subscriptionid, intentId };

const isSoldByStore = (of: PaidFor, { store }: FlowInput): boolean => {
  if (of === 'subscription') return store.enableSubscription;
  return store.showBuyTitle && (!isGift({ of }) || store.enableGiftingTitle);
};

/** The initial context of a purchase. */
export const createContext = ({ input }: { input: FlowInput }): Context => {
  const { route, store, signedIn, resume } = input;
  const of = getPaidFor(route.params);
  const { pii: _, ...emptyOffer } = noOffer;
  return {
    of,
    titleId: route.params['titleid'] ?? '',
    planId: route.params['planid'] ?? '',
    countries: store.purchaseCountries,
    isSold: isSoldByStore(of, input),
    signedIn,
    resume,
    ...emptyOffer,
    ...getReturnedPayment(route.params),
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
    pii: { code: null, gift: null, preview: null },
  };
};

/**
 * The action to resume after sign-in if payment does not resume by itself: the customer chooses
 * again for anything but a title, for a price with tax, and with credits or another method.
 */
export const CHOOSE_AGAIN = 'choose';

/** The action to resume payment after sign-in; valid only for the price that the customer saw. */
export const getPayAction = (context: Context): string => {
  const { of, price, withCredits, method } = context;
  if (of !== 'title' || withCredits || isTaxed(context) || method !== null) return CHOOSE_AGAIN;
  return price === null ? 'pay' : `pay-${price.amount}-${price.currency}`;
};

/** Whether the URL names no title and no plan. */
export const hasNoGoods = ({ of, titleId, planId }: Pick<Context, 'of' | 'titleId' | 'planId'>): boolean =>
  !isCartPurchase({ of }) && (of === 'subscription' ? planId : titleId) === '';

/** Whether the purchase is of a free title. */
export const isFreeTitle = ({ title }: Pick<Context, 'title'>): boolean => title !== null && isFree(title);

/** Whether the title, or every title in the cart, is not for sale, or the plan does not exist. */
export const isNotForSale = ({ of, title, cart, plan, isSold }: Context): boolean => {
  if (of === 'subscription') return plan === null;
  if (isCartPurchase({ of })) return !isSold || (cart?.total ?? null) === null;
  return title?.forSale !== true || (!isSold && !isFree(title));
};

/** Whether the amount to charge is known, including tax. */
export const isTotalKnown = (context: Context): boolean => context.withCredits || !isTaxed(context) || context.tax !== null;
