import { noOffer, type Offer } from '../../machines/buying/purchase/offer.ts';
import type { Order } from '../../machines/buying/payment-setup.ts';
import type { Card } from '../../machines/model/buying/card.ts';
import { quoteCart, type CartEntry } from '../../machines/model/buying/cart.ts';
import type { GiftForm, GiftPreview } from '../../machines/model/buying/gift.ts';
import type { Plan } from '../../machines/model/buying/subscription.ts';
import { summary } from '../../machines/path-models/path-model.ts';
import { order as usualOrder } from '../../machines/path-models/flows/purchase/payment-paths.ts';

export const dollarPrice = { amount: 9.99, currency: 'USD', symbol: '$' };

/** A title that is for sale. */
export const titleOffer = (part: Partial<Offer> = {}): Offer => ({
  ...noOffer,
  title: summary,
  price: dollarPrice,
  key: 'k1',
  ...part,
});

/** A free title. */
export const freeOffer = (part: Partial<Offer> = {}): Offer =>
  titleOffer({ title: { ...summary, free: true, prices: [] }, price: null, ...part });

const days = { today: '2026-01-01', lastDay: '2027-01-01' };

/** A title that can be given as a gift. */
export const giftOffer = (part: Partial<Offer> = {}): Offer => titleOffer({ days, key: 'g1', ...part });

export const makeEntry = (titleId: string, more: Partial<CartEntry> = {}): CartEntry => ({
  titleId,
  name: `Title ${titleId}`,
  savedAt: '',
  isOwned: false,
  title: { ...summary, id: titleId },
  ...more,
});

/** A cart with these titles. */
export const cartOffer = (...entries: CartEntry[]): Offer => {
  const cart = quoteCart(entries, { locale: 'en', countries: ['US'] });
  return { ...noOffer, cart, price: cart.total, isReduced: cart.off !== undefined, key: 'k1' };
};

/** A cart with these titles, as a gift. */
export const cartGiftOffer = (...entries: CartEntry[]): Offer => ({ ...cartOffer(...entries), days, key: 'g1' });

const plan: Plan = {
  id: 'monthly',
  name: 'All the lamps',
  description: '',
  price: { amount: 4.99, currency: 'USD', symbol: '$' },
  interval: 'month',
  trialDays: 7,
  credits: 0,
};

/** A plan that can be subscribed to. */
export const planOffer = (part: Partial<Plan> = {}): Offer => ({
  ...noOffer,
  plan: { ...plan, ...part },
  price: plan.price,
  key: 'k1',
});

export const visa: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };

export const form: GiftForm = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };

export const preview: GiftPreview = {
  subject: 'Harbour Books: Ann has sent you a gift',
  before: ['Hello Bo Quay,', 'Ann is giving you “The Keeper’s Third Log” from Harbour.', 'Happy birthday!'],
  link: 'Open your gift',
  after: ['The link is for you alone and works once.'],
};

/** A payment for one title, by card on the gateway's page. */
export const makeOrder = (part: Partial<Order> = {}): Order => ({ ...usualOrder, price: dollarPrice, ...part });
