import type { CartQuote } from '../../model/buying/cart.ts';
import type { GiftDays, GiftForm } from '../../model/buying/gift.ts';
import type { PaidFor } from '../../model/buying/purchase.ts';
import type { Plan } from '../../model/buying/subscription.ts';
import type { Price, TitleSummary } from '../../model/catalogue/title.ts';

/**
 * The request for an offer: of a title by its id, of a plan by its id, or of all of the cart. The
 * store's countries decide the currency, together with the language of the shop.
 */
export type OfferRequest = { of: PaidFor; titleId: string; planId: string; countries: readonly string[] };

/**
 * An offer and its price. `key` is the idempotency key of this attempt, and of a gift its own id:
 * an unfinished payment for the same at the same price has left it, else it is new. `transId` is
 * the transaction of that unfinished payment.
 */
export type Offer = {
  /** The title that is bought or given. */
  title: TitleSummary | null;
  /** The cart that is bought or given, with its lines. */
  cart: CartQuote | null;
  /** The plan that is subscribed to. */
  plan: Plan | null;
  price: Price | null;
  /** The customer's own copy, when they have one already. */
  instanceId: string | null;
  /** The price in credits, where the store takes them. */
  credits: number | null;
  /** The ways to pay beside cards and credits, as the server names them. */
  methods: readonly string[];
  /** A code makes it cheaper. */
  isReduced: boolean;
  /** The days on which a gift can be sent. */
  days: GiftDays | null;
  key: string;
  transId: string | null;
  /** The words that the giver wrote in this tab before. */
  pii: { draft: GiftForm | null };
};

/** An offer of nothing, to be filled in. */
export const noOffer: Omit<Offer, 'key'> = {
  title: null,
  cart: null,
  plan: null,
  price: null,
  instanceId: null,
  credits: null,
  methods: [],
  isReduced: false,
  days: null,
  transId: null,
  pii: { draft: null },
};

/**
 * The price of an offer after a code was typed, or taken back, and the key of an attempt at that
 * price.
 */
export type NewPrice = Pick<Offer, 'cart' | 'plan' | 'price' | 'isReduced' | 'key'>;

/** The offer to which a code is applied, with the prices of a title before the code. */
export type Repricing = OfferRequest & Pick<Offer, 'plan'> & { prices: readonly Price[] };

/** The purchase is for another person. */
export const isGift = ({ of }: { of: PaidFor }): boolean => of === 'gift' || of === 'cartGift';

/** It is all of a cart. */
export const isOfCart = ({ of }: { of: PaidFor }): boolean => of === 'cart' || of === 'cartGift';
