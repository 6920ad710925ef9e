import type { NewPrice, Offer } from '../../../buying/purchase/offer.ts';
import { noOffer } from '../../../buying/purchase/offer.ts';
import type { Card } from '../../../model/buying/card.ts';
import { quoteCart, type CartEntry } from '../../../model/buying/cart.ts';
import type { GiftForm, GiftPreview } from '../../../model/buying/gift.ts';
import type { PaidFor } from '../../../model/buying/purchase.ts';
import type { CreditBalance, Plan } from '../../../model/buying/subscription.ts';
import type { Tax } from '../../../model/buying/tax.ts';
import type { TitleSummary } from '../../../model/catalogue/title.ts';
import { titleSummary } from '../../path-model.ts';

// Every choice in these offers has two options, so that a rule detects a wrong one.

export const [price] = titleSummary.prices as [(typeof titleSummary.prices)[0]];
const createPrice = (amount: number) => ({ ...price, amount });
/** The price of a title with the first code, and with the second. */
const reducedPrices = [createPrice(7.99), createPrice(8.99)] as const;

const secondTitle: TitleSummary = { ...titleSummary, id: '1002', name: 'A Short Walk', prices: [createPrice(4.5)] };

const toCartEntry = (title: TitleSummary): CartEntry => ({
  titleId: title.id,
  name: title.name,
  savedAt: '2026-01-01T00:00:00.000Z',
  isOwned: false,
  title,
});

const quoteOptions = { locale: 'en', countries: ['US'] };
const cart = quoteCart([titleSummary, secondTitle].map(toCartEntry), quoteOptions);
const createReducedCart = (share: number) =>
  quoteCart(
    [titleSummary, secondTitle].map((title) => ({
      ...toCartEntry({ ...title, prices: title.prices.map((each) => ({ ...each, amount: each.amount * share })) }),
      usual: title.prices,
    })),
    quoteOptions,
  );
export const emptyCart = quoteCart([], quoteOptions);

export const monthlyPlan: Plan = {
  id: 'monthly',
  name: 'Monthly',
  description: 'All titles',
  price: createPrice(4.99),
  interval: 'month',
  trialDays: 14,
  credits: 2,
};
const deliveryDays = { today: '2026-01-01', lastDay: '2027-01-01' };

const createOffer = (overrides: Partial<Offer>): Offer => ({ ...noOffer, key: 'k1', ...overrides });

/** One offer of each kind, at its usual price. */
export const offers: Record<PaidFor, Offer> = {
  title: createOffer({ title: titleSummary, price }),
  cart: createOffer({ cart, price: cart.total }),
  gift: createOffer({ title: titleSummary, price, days: deliveryDays }),
  cartGift: createOffer({ cart, price: cart.total, days: deliveryDays }),
  subscription: createOffer({ plan: monthlyPlan, price: monthlyPlan.price }),
};

/** Offers that cannot be paid: a title that is not for sale, or a cart without payable titles. */
export const emptyOffers: Record<'title' | 'cart' | 'gift' | 'cartGift', Offer> = {
  title: { ...offers.title, title: { ...titleSummary, forSale: false } },
  gift: { ...offers.gift, title: { ...titleSummary, forSale: false } },
  cart: { ...offers.cart, cart: emptyCart, price: null },
  cartGift: { ...offers.cartGift, cart: emptyCart, price: null },
};

/** Returns an offer of a title with the title made free. */
export const toFreeOffer = (offer: Offer): Offer => ({
  ...offer,
  title: { ...titleSummary, free: true, prices: [] },
  price: null,
});

const getOfferPrices = ({ cart: offerCart, plan, price: usualPrice }: Offer): Omit<NewPrice, 'key' | 'isReduced'> => ({
  cart: offerCart,
  plan,
  price: usualPrice,
});

/** The new prices of an offer with the first code and with the second. */
export const createReducedPrices = (of: PaidFor): NewPrice[] =>
  [0.8, 0.9].map((share, index): NewPrice => {
    const offer = offers[of];
    const reducedCart = offer.cart === null ? null : createReducedCart(share);
    const plan = offer.plan && { ...offer.plan, trialDays: 30 + index };
    const newPrice = reducedCart === null ? (plan === null ? (reducedPrices[index] ?? null) : plan.price) : reducedCart.total;
    return { cart: reducedCart, plan, price: newPrice, isReduced: true, key: `k${index + 2}` };
  });

/** The new price of an offer after its code was removed. */
export const createFullPrice = (of: PaidFor): NewPrice => ({ ...getOfferPrices(offers[of]), isReduced: false, key: 'k4' });

/** The new price of a cart that turns out to be empty when a code is applied. */
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

/** The price in credits of a title that the store also sells for credits. */
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
