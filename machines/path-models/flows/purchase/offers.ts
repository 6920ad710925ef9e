import type { NewPrice, Offer } from '../../../buying/purchase/offer.ts';
import { noOffer } from '../../../buying/purchase/offer.ts';
import type { Card } from '../../../model/buying/card.ts';
import { quoteCart, type CartEntry } from '../../../model/buying/cart.ts';
import type { GiftForm, GiftLetter } from '../../../model/buying/gift.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { CreditBalance, Plan } from '../../../model/buying/subscription.ts';
import type { Tax } from '../../../model/buying/tax.ts';
import type { TitleSummary } from '../../../model/catalogue/title.ts';
import { summary } from '../../path-model.ts';

/**
 * The offers of the models. There are two of everything that can be chosen, so that a rule sees
 * when the wrong one is taken.
 */

export const [price] = summary.prices as [(typeof summary.prices)[0]];
const priceOf = (amount: number) => ({ ...price, amount });
/** The price of a title with the first code, and with the second. */
const reduced = [priceOf(7.99), priceOf(8.99)] as const;

const second: TitleSummary = { ...summary, id: '1002', name: 'A Short Walk', prices: [priceOf(4.5)] };

const entryOf = (title: TitleSummary): CartEntry => ({
  titleId: title.id,
  name: title.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title,
});

const choice = { locale: 'en', countries: ['US'] };
const cart = quoteCart([summary, second].map(entryOf), choice);
const cartFor = (share: number) =>
  quoteCart(
    [summary, second].map((title) => ({
      ...entryOf({ ...title, prices: title.prices.map((each) => ({ ...each, amount: each.amount * share })) }),
      usual: title.prices,
    })),
    choice,
  );
export const emptyCart = quoteCart([], choice);

export const monthly: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: 'All titles',
  price: priceOf(4.99),
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const days = { today: '2026-01-01', lastDay: '2027-01-01' };

const offerOf = (part: Partial<Offer>): Offer => ({ ...noOffer, key: 'k1', ...part });

/** One offer of each kind, at its usual price. */
export const offers: Record<PaidFor, Offer> = {
  title: offerOf({ title: summary, price }),
  cart: offerOf({ cart, price: cart.total }),
  gift: offerOf({ title: summary, price, days }),
  cartGift: offerOf({ cart, price: cart.total, days }),
  subscription: offerOf({ plan: monthly, price: monthly.price }),
};

/** Nothing of it is left to be paid for. */
export const nothing: Record<'title' | 'cart' | 'gift' | 'cartGift', Offer> = {
  title: { ...offers.title, title: { ...summary, forSale: false } },
  gift: { ...offers.gift, title: { ...summary, forSale: false } },
  cart: { ...offers.cart, cart: emptyCart, price: null },
  cartGift: { ...offers.cartGift, cart: emptyCart, price: null },
};

/** The same with a free title. */
export const free = (offer: Offer): Offer => ({ ...offer, title: { ...summary, free: true, prices: [] }, price: null });

const pricesOf = ({ cart: quoted, plan, price: usual }: Offer): Omit<NewPrice, 'key' | 'isReduced'> => ({
  cart: quoted,
  plan,
  price: usual,
});

/** An offer with the first code, and with the second. */
export const withCode = (of: PaidFor): NewPrice[] =>
  [0.8, 0.9].map((share, at): NewPrice => {
    const offer = offers[of];
    const cheaper = offer.cart === null ? null : cartFor(share);
    const plan = offer.plan && { ...offer.plan, trialDays: 30 + at };
    const left = cheaper === null ? (plan === null ? (reduced[at] ?? null) : plan.price) : cheaper.total;
    return { cart: cheaper, plan, price: left, isReduced: true, key: `k${at + 2}` };
  });

/** The offer again without a code. */
export const withoutCode = (of: PaidFor): NewPrice => ({ ...pricesOf(offers[of]), isReduced: false, key: 'k4' });

/** A cart of which a code leaves nothing to pay for. */
export const leftWithNothing: NewPrice = { cart: emptyCart, plan: null, price: null, isReduced: true, key: 'k5' };

export const card: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
export const otherCard: Card = { ...card, id: 'c2', isDefault: false, pii: { ...card.pii, last4: '0341' } };
export const expired: Card = {
  ...card,
  id: 'c3',
  isDefault: false,
  isExpired: true,
  pii: { ...card.pii, last4: '5027', expiry: '12/20' },
};

/** The price in credits of the titles that the store sells for credits. */
export const credits = 2;
const balanceOf = (balance: number, accepted = true): CreditBalance => ({ balance, currency: 'Credits', accepted });
export const balances = {
  enough: balanceOf(credits),
  short: balanceOf(credits - 1),
  notTaken: balanceOf(credits, false),
};

export const form: GiftForm = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
export const otherForm: GiftForm = { ...form, name: 'Cy Reed', email: 'cy@example.com' };

export const letter: GiftLetter = {
  subject: 'Harbour Books: Ann has sent you a gift',
  before: ['Hello Bo Quay,', 'Ann is giving you “The Keeper’s Third Log” from Harbour.', 'Happy birthday!'],
  link: 'Open your gift',
  after: ['The link is for you alone and works once.'],
};

export const tax: Tax = {
  place: { country: 'FR', region: null },
  taxPrice: 0.55,
  priceWithTax: 10.54,
  rates: [{ name: 'TVA', percent: 5.5, amount: 0.55 }],
};
