import { noOffer, type Offer } from '../../machines/buying/purchase/offer.ts';
import type { Order } from '../../machines/buying/payment-setup.ts';
import type { Card } from '../../machines/model/buying/card.ts';
import { quoteCart, type CartEntry } from '../../machines/model/buying/cart.ts';
import type { GiftForm, GiftPreview } from '../../machines/model/buying/gift.ts';
import type { Plan } from '../../machines/model/buying/subscription.ts';
import { titleSummary } from '../../machines/path-models/path-model.ts';
import { order as usualOrder } from '../../machines/path-models/flows/purchase/payment-paths.ts';

export const dollarPrice = { amount: 9.99, currency: 'USD', symbol: '$' };

/** The offer of a title that is for sale. */
export const makeTitleOffer = (overrides: Partial<Offer> = {}): Offer => ({
  ...noOffer,
  title: titleSummary,
  price: dollarPrice,
  key: 'k1',
  ...overrides,
});

/** The offer of a free title. */
export const makeFreeOffer = (overrides: Partial<Offer> = {}): Offer =>
  makeTitleOffer({ title: { ...titleSummary, free: true, prices: [] }, price: null, ...overrides });

const days = { today: '2026-01-01', lastDay: '2027-01-01' };

/** The offer of a title that can be given as a gift. */
export const makeGiftOffer = (overrides: Partial<Offer> = {}): Offer => makeTitleOffer({ days, key: 'g1', ...overrides });

export const makeEntry = (titleId: string, overrides: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...titleSummary, id: titleId },
  ...overrides,
});

/** The offer of a cart with these titles. */
export const makeCartOffer = (...entries: CartEntry[]): Offer => {
  const cart = quoteCart(entries, { locale: 'en', countries: ['US'] });
  return { ...noOffer, cart, price: cart.total, isReduced: cart.off !== undefined, key: 'k1' };
};

/** The offer of a cart with these titles as a gift. */
export const makeCartGiftOffer = (...entries: CartEntry[]): Offer => ({ ...makeCartOffer(...entries), days, key: 'g1' });

const plan: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 7,
  credits: 0,
};

/** The offer of a plan that can be subscribed to. */
export const makePlanOffer = (overrides: Partial<Plan> = {}): Offer => ({
  ...noOffer,
  plan: { ...plan, ...overrides },
  price: plan.price,
  key: 'k1',
});

export const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };

export const giftForm: GiftForm = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };

export const preview: GiftPreview = {
  subject: 'Harbour Books: Ann has sent you a gift',
  before: ['Hello Bo Quay,', 'Ann is giving you “The Keeper’s Third Log” from Harbour.', 'Happy birthday!'],
  link: 'Open your gift',
  after: ['The link is for you alone and works once.'],
};

/** A payment for one title, by card on the gateway's page. */
export const makeOrder = (overrides: Partial<Order> = {}): Order => ({ ...usualOrder, price: dollarPrice, ...overrides });
