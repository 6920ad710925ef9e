import type { CartQuote } from '../../model/cart.ts';
import type { GiftDays, GiftForm } from '../../model/gift.ts';
import type { PaidFor } from '../../model/purchase.ts';
import type { Plan } from '../../model/subscription.ts';
import type { Price, TitleSummary } from '../../model/title.ts';

/**
 * What a customer wants to buy: a title by its id, a plan by its id, or all of their cart. The store's countries decide in which
 * money, together with the language that the shop speaks.
 */
export type OfferRequest = { of: PaidFor; titleId: string; planId: string; countries: readonly string[] };

/**
 * What is offered, and for how much. `key` is the idempotency key of this attempt, and of a gift its own id: the one that an
 * unfinished payment for the same at the same price left behind, else a new one; `transId` belongs to that unfinished payment.
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
  /** What it costs in credits, where it can be had for them. */
  credits: number | null;
  /** What the gateway's page takes beside cards. */
  methods: readonly string[];
  /** A code makes it cheaper. */
  isReduced: boolean;
  /** The days on which a gift can be sent. */
  days: GiftDays | null;
  key: string;
  transId: string | null;
  /** What was written for a gift in this tab before. */
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

/** What an offer costs after a code was typed, or taken back, and the key of an attempt at that price. */
export type NewPrice = Pick<Offer, 'cart' | 'plan' | 'price' | 'isReduced' | 'key'>;

/** What a code is asked about: the same offer, with the prices of a title before the code. */
export type Repricing = OfferRequest & Pick<Offer, 'plan'> & { prices: readonly Price[] };

/** It is for somebody else. */
export const isGift = ({ of }: { of: PaidFor }): boolean => of === 'gift' || of === 'cartGift';

/** It is all of a cart. */
export const isOfCart = ({ of }: { of: PaidFor }): boolean => of === 'cart' || of === 'cartGift';
