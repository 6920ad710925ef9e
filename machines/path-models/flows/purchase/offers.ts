import type { NewPrice, Offer } from '../../../buying/purchase/offer.ts';
import { noOffer } from '../../../buying/purchase/offer.ts';
import type { Card } from '../../../model/buying/card.ts';
import { quoteCart, type CartEntry } from '../../../model/buying/cart.ts';
import type { GiftForm, GiftPreview } from '../../../model/buying/gift.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { CreditBalance, Plan } from '../../../model/buying/subscription.ts';
import type { Tax } from '../../../model/buying/tax.ts';
import type { TitleSummary } from '../../../model/catalogue/title.ts';
import { summary } from '../../path-model.ts';

/** The offers of the models. Every choice has two options, so that a rule detects the wrong one. */

export const [price] = summary.prices as [(typeof summary.prices)[0]];
const withAmount = (amount: number) => ({ ...price, amount });
/** The price of a title with the first code, and with the second. */
const reducedPrices = [withAmount(7.99), withAmount(8.99)] as const;

const secondTitle: TitleSummary = { ...summary, id: '1002', name: 'A Short Walk', prices: [withAmount(4.5)] };

const toEntry = (title: TitleSummary): CartEntry => ({
  titleId: title.id,
  name: title.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title,
});

const choice = { locale: 'en', countries: ['US'] };
const cart = quoteCart([summary, secondTitle].map(toEntry), choice);
const createReducedCart = (share: number) =>
  quoteCart(
    [summary, secondTitle].map((title) => ({
      ...toEntry({ ...title, prices: title.prices.map((each) => ({ ...each, amount: each.amount * share })) }),
      usual: title.prices,
    })),
    choice,
  );
export const emptyCart = quoteCart([], choice);

export const monthly: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: 'All titles',
  price: withAmount(4.99),
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const days = { today: '2026-01-01', lastDay: '2027-01-01' };

const createOffer = (part: Partial<Offer>): Offer => ({ ...noOffer, key: 'k1', ...part });

/** One offer of each kind, at its usual price. */
export const offers: Record<PaidFor, Offer> = {
  title: createOffer({ title: summary, price }),
  cart: createOffer({ cart, price: cart.total }),
  gift: createOffer({ title: summary, price, days }),
  cartGift: createOffer({ cart, price: cart.total, days }),
  subscription: createOffer({ plan: monthly, price: monthly.price }),
};

/** Offers with nothing left to pay. */
export const emptyOffers: Record<'title' | 'cart' | 'gift' | 'cartGift', Offer> = {
  title: { ...offers.title, title: { ...summary, forSale: false } },
  gift: { ...offers.gift, title: { ...summary, forSale: false } },
  cart: { ...offers.cart, cart: emptyCart, price: null },
  cartGift: { ...offers.cartGift, cart: emptyCart, price: null },
};

/** The same with a free title. */
export const toFreeOffer = (offer: Offer): Offer => ({ ...offer, title: { ...summary, free: true, prices: [] }, price: null });

const getOfferPrices = ({ cart: quoted, plan, price: usual }: Offer): Omit<NewPrice, 'key' | 'isReduced'> => ({
  cart: quoted,
  plan,
  price: usual,
});

/** An offer with the first code, and with the second. */
export const createReducedPrices = (of: PaidFor): NewPrice[] =>
  [0.8, 0.9].map((share, at): NewPrice => {
    const offer = offers[of];
    const cheaper = offer.cart === null ? null : createReducedCart(share);
    const plan = offer.plan && { ...offer.plan, trialDays: 30 + at };
    const left = cheaper === null ? (plan === null ? (reducedPrices[at] ?? null) : plan.price) : cheaper.total;
    return { cart: cheaper, plan, price: left, isReduced: true, key: `k${at + 2}` };
  });

/** The offer after its code was removed. */
export const createFullPrice = (of: PaidFor): NewPrice => ({ ...getOfferPrices(offers[of]), isReduced: false, key: 'k4' });

/** A cart that a code reduces to nothing to pay. */
export const emptiedCartPrice: NewPrice = { cart: emptyCart, plan: null, price: null, isReduced: true, key: 'k5' };

export const card: Card = { id: 'c1', isDefault: true, isExpired: false, pii: { brand: 'Visa', last4: '4242', expiry: '12/40' } };
export const otherCard: Card = { ...card, id: 'c2', isDefault: false, pii: { ...card.pii, last4: '0341' } };
export const expiredCard: Card = {
  ...card,
  id: 'c3',
  isDefault: false,
  isExpired: true,
  pii: { ...card.pii, last4: '5027', expiry: '12/20' },
};

/** The price in credits of titles that the store sells for credits. */
export const credits = 2;
const createBalance = (balance: number, accepted = true): CreditBalance => ({ balance, currency: 'Credits', accepted });
export const balances = {
  enough: createBalance(credits),
  short: createBalance(credits - 1),
  notTaken: createBalance(credits, false),
};

export const form: GiftForm = { name: 'Bo Quay', email: 'bo@example.com', message: 'Happy birthday!', day: '' };
export const otherForm: GiftForm = { ...form, name: 'Cy Reed', email: 'cy@example.com' };

export const preview: GiftPreview = {
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
