import type { CartQuote } from '../../model/buying/cart.ts';
import type { GiftDays, GiftForm } from '../../model/buying/gift.ts';
import type { PaidFor } from '../../model/buying/purchase.ts';
import type { Plan } from '../../model/buying/subscription.ts';
import type { Price, TitleSummary } from '../../model/catalogue/title.ts';

/**
 * The request for an offer: a title by its id, a plan by its id, or the whole cart. The store's
 * countries and the shop's language determine the currency.
 */
export type OfferRequest = { of: PaidFor; titleId: string; planId: string; countries: readonly string[] };

/**
 * An offer and its price. `key` is the idempotency key of the payment, and for a gift its id:
 * reused from an unfinished payment for the same goods at the same price, otherwise new. `transId`
 * is the transaction of that unfinished payment; null without one.
 */
export type Offer = {
  /** The title that is bought or given. */
  title: TitleSummary | null;
  /** The cart that is bought or given, with its lines. */
  cart: CartQuote | null;
  /** The plan that is subscribed to. */
  plan: Plan | null;
  price: Price | null;
  /** The customer's own copy of the title; null without one. */
  instanceId: string | null;
  /** The price in credits, if the store accepts them. */
  credits: number | null;
  /** Payment methods besides cards and credits, as the server names them. */
  methods: readonly string[];
  /** Whether a code reduces the price. */
  isReduced: boolean;
  /** The days on which a gift can be sent. */
  days: GiftDays | null;
  key: string;
  transId: string | null;
  /** The gift message that the customer drafted in this tab. */
  pii: { draft: GiftForm | null };
};

/** An empty offer, to be filled in. */
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
 * The price of an offer after a code was applied or removed, and the idempotency key of a payment
 * at that price.
 */
export type NewPrice = Pick<Offer, 'cart' | 'plan' | 'price' | 'isReduced' | 'key'>;

/** The offer to which a code is applied, with the title's prices before the code. */
export type PriceRequest = OfferRequest & Pick<Offer, 'plan'> & { prices: readonly Price[] };

/** Whether the purchase is for another person. */
export const isGift = ({ of }: { of: PaidFor }): boolean => of === 'gift' || of === 'cartGift';

/** Whether the purchase is of the whole cart. */
export const isCartPurchase = ({ of }: { of: PaidFor }): boolean => of === 'cart' || of === 'cartGift';
