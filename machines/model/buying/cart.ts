import type { Problem } from '../problem.ts';
import { isPaidIn } from '../store/paid-in.ts';
import { isFree, priceFor, type PriceChoice } from '../catalogue/price.ts';
import type { Price, TitleSummary } from '../catalogue/title.ts';
import type { Wish, WishChange } from './wish-list.ts';

/** A title in the cart; `savedAt` is when it was put there, ISO 8601, empty until that is known. */
export type CartLine = Wish;

/**
 * A change of the cart; `campaignId` is of the campaign that the title comes from, and
 * `ofCampaign` says that all of the campaign goes with it.
 */
export type CartChange = WishChange & { campaignId?: string; ofCampaign?: true };

/** Titles that a cart may hold, in a browser and on the server. */
export const mostLines = 50;

/** A line with what a list shows of its title; `title` is null where the shop does not have it any more. */
export type CartEntry = CartLine & {
  name: string;
  isOwned: boolean;
  title: TitleSummary | null;
  /** The running campaign that it was taken from; the title has the price of that. */
  campaignId?: string;
  campaignName?: string;
  /** It comes for nothing with what is paid for. */
  isReward?: true;
  /** The currency in which the server adds the cart up; missing where it does not say. */
  cartCurrency?: string;
  /** What the title costs without the code that makes it cheaper. */
  usual?: readonly Price[];
};

/** A cart as it was read, and why the code that was kept for it is over; null where it is not. */
export type CartRead = { entries: CartEntry[]; refused: Problem | null };

/** Whether a line is paid for with the others, or why not. */
export type LineState = 'payable' | 'reward' | 'owned' | 'free' | 'notForSale' | 'otherCurrency' | 'gone';

/** `price` is null for what is not paid for; `before` is there where a code makes it cheaper: what it costs without. */
export type QuotedLine = CartEntry & { state: LineState; price: Price | null; before?: Price };

/**
 * What is in a cart and what it costs, as shown: all in one currency. `total` is null where there is nothing to pay; `off` is there
 * where a code takes something off.
 */
export type CartQuote = { lines: QuotedLine[]; total: Price | null; off?: Price };

/** Whether a line is a title that the shop sells, and not the customer's yet. */
const isSold = ({ isOwned, title }: CartEntry): boolean =>
  !isOwned && title !== null && title.forSale && title.prices.length > 0 && !isFree(title);

const priceIn = ({ title }: CartEntry, currency: string | undefined): Price | null =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0) ?? null;

/**
 * Whether the server counts a line among those that are paid for: sold, and in the cart's
 * currency. Of a server that does not name that currency, every title that is sold.
 */
export const isCounted = (entry: CartEntry): boolean =>
  isSold(entry) && (entry.cartCurrency === undefined || priceIn(entry, entry.cartCurrency) !== null);

/**
 * The currency in which most can be paid for together; of several the one that this customer sees
 * on the latest title. It is the money of one of the store's countries, or the one that the server
 * adds the cart up in, which is what the latest title is sold in first where it does not say: the
 * server takes no other.
 */
const currencyFor = (sold: readonly CartEntry[], choice: PriceChoice): string | undefined => {
  const [first] = sold.flatMap(({ title, cartCurrency }) => cartCurrency ?? title?.prices[0]?.currency ?? []);
  const taken = (currency: string): boolean => currency === first || isPaidIn(currency, choice.countries);
  const seen = [...new Set(sold.flatMap(({ title }) => priceFor(title?.prices ?? [], choice)?.currency ?? []))].filter(taken);
  const counts = seen.map((currency) => sold.filter((entry) => priceIn(entry, currency) !== null).length);
  return seen[counts.indexOf(Math.max(...counts))];
};

const stateOf = (entry: CartEntry, price: Price | null): LineState => {
  if (entry.isOwned) return 'owned';
  if (entry.title === null) return 'gone';
  if (!entry.title.forSale) return 'notForSale';
  if (isFree(entry.title)) return 'free';
  if (entry.isReward === true) return 'reward';
  return price === null ? (entry.title.prices.length === 0 ? 'notForSale' : 'otherCurrency') : 'payable';
};

/** How a cart is added up; a store may sell no titles. */
export type CartChoice = PriceChoice & { sellsNone?: boolean };

/** The sum of amounts, without the dust that adding decimals leaves. */
const sumOf = (prices: readonly Price[]): number => Number(prices.reduce((sum, { amount }) => sum + amount, 0).toFixed(4));

/** Whether a code makes something in the cart cheaper. */
export const isCheaper = (entries: readonly CartEntry[]): boolean => entries.some(({ usual }) => usual !== undefined);

/** What the customer sees of a cart. What is charged is the server's own figure, which has to be the same. */
export const quoteCart = (given: readonly CartEntry[], choice: CartChoice): CartQuote => {
  const entries =
    choice.sellsNone === true
      ? given.map((entry) => ({ ...entry, title: entry.title && { ...entry.title, forSale: false } }))
      : given;
  const currency = currencyFor(entries.filter(isSold), choice);
  const lines = entries.map((entry): QuotedLine => {
    const usual = isSold(entry) ? priceIn(entry, currency) : null;
    const state = stateOf(entry, usual);
    const price = state === 'reward' && usual !== null ? { ...usual, amount: 0 } : usual;
    const before = state === 'payable' ? entry.usual?.find((each) => each.currency === currency) : undefined;
    return { ...entry, state, price, ...(before === undefined ? {} : { before }) };
  });
  const prices = lines.flatMap(({ price }) => price ?? []);
  const [first] = prices;
  if (first === undefined) return { lines, total: null };
  const total = { ...first, amount: sumOf(prices) };
  const usual = { ...first, amount: sumOf(lines.flatMap(({ price, before }) => before ?? price ?? [])) };
  const off = sumOf([usual, { ...total, amount: -total.amount }]);
  return { lines, total, ...(off > 0 ? { off: { ...first, amount: off } } : {}) };
};

/** The titles that are paid for together, and what comes with them for nothing. */
export const payableIds = ({ lines }: CartQuote): string[] =>
  lines.filter(({ state }) => state === 'payable' || state === 'reward').map(({ titleId }) => titleId);
