import type { Problem } from '../problem.ts';
import { isLocalCurrency } from '../store/paid-in.ts';
import { isFree, choosePrice, type PriceChoice } from '../catalogue/price.ts';
import type { Price, TitleSummary } from '../catalogue/title.ts';
import type { Wish, WishChange } from './wish-list.ts';

/** A title in the cart; `savedAt` is when it was added (ISO 8601), empty until known. */
export type CartLine = Wish;

/**
 * A change of the cart. `campaignId` is the title's campaign; with `ofCampaign` the change removes
 * all of the campaign's titles.
 */
export type CartChange = WishChange & { campaignId?: string; ofCampaign?: true };

/** The maximum number of titles in a cart, in the browser and on the server. */
export const MAX_CART_LINES = 50;

/** A line with the list data of its title; `title` is null if the shop no longer has it. */
export type CartEntry = CartLine & {
  name: string;
  isOwned: boolean;
  title: TitleSummary | null;
  /** The running campaign from which the title was added, which determines its price. */
  campaignId?: string;
  campaignName?: string;
  /** A free reward for the paid titles. */
  isReward?: true;
  /** The currency in which the server totals the cart; missing if unknown. */
  cartCurrency?: string;
  /** The title's prices without the code that reduces them. */
  usual?: readonly Price[];
};

/**
 * A loaded cart; `refused` is the reason why its stored code is no longer valid, null otherwise.
 */
export type LoadedCart = { entries: CartEntry[]; refused: Problem | null };

/** The state of a line: `payable`, or the reason why it is not paid for. */
export type LineState = 'payable' | 'reward' | 'owned' | 'free' | 'notForSale' | 'otherCurrency' | 'gone';

/**
 * A line of the cart with its price, which is null if the line is not paid for; `before` is the
 * price without the code, if a code reduces it.
 */
export type QuotedLine = CartEntry & { state: LineState; price: Price | null; before?: Price };

/**
 * The contents and the cost of a cart, all in one currency. `total` is null if there is nothing to
 * pay; `off` is the amount by which a code reduces the total, if any.
 */
export type CartQuote = { lines: QuotedLine[]; total: Price | null; off?: Price };

/** Whether the shop sells the line's title, and the customer does not own it yet. */
const isForSale = ({ isOwned, title }: CartEntry): boolean =>
  !isOwned && title !== null && title.forSale && title.prices.length > 0 && !isFree(title);

const findPrice = ({ title }: CartEntry, currency: string | undefined): Price | null =>
  title?.prices.find((price) => price.currency === currency && price.amount > 0) ?? null;

/**
 * Whether the server includes a line in the total: its title is for sale and has a price in the
 * cart's currency. If the server does not name that currency, every title for sale counts.
 */
export const countsTowardTotal = (entry: CartEntry): boolean =>
  isForSale(entry) && (entry.cartCurrency === undefined || findPrice(entry, entry.cartCurrency) !== null);

/**
 * The currency in which most titles can be paid together; on a tie, the one of these that the
 * customer sees first in the cart. The server accepts only the currencies of the store's countries,
 * and the one in which it totals the cart (if unknown, the first currency of the first title).
 * Undefined if no title has such a price.
 */
const chooseCurrency = (entriesForSale: readonly CartEntry[], choice: PriceChoice): string | undefined => {
  const [totalCurrency] = entriesForSale.flatMap(({ title, cartCurrency }) => cartCurrency ?? title?.prices[0]?.currency ?? []);
  const isAccepted = (currency: string): boolean => currency === totalCurrency || isLocalCurrency(currency, choice.countries);
  const shownCurrencies = entriesForSale.flatMap(({ title }) => choosePrice(title?.prices ?? [], choice)?.currency ?? []);
  const candidates = [...new Set(shownCurrencies)].filter(isAccepted);
  const counts = candidates.map((currency) => entriesForSale.filter((entry) => findPrice(entry, currency) !== null).length);
  return candidates[counts.indexOf(Math.max(...counts))];
};

const getLineState = (entry: CartEntry, price: Price | null): LineState => {
  if (entry.isOwned) return 'owned';
  if (entry.title === null) return 'gone';
  if (!entry.title.forSale) return 'notForSale';
  if (isFree(entry.title)) return 'free';
  if (entry.isReward === true) return 'reward';
  return price === null ? (entry.title.prices.length === 0 ? 'notForSale' : 'otherCurrency') : 'payable';
};

/** The options for totalling a cart; `sellsNone` if the store sells no titles. */
export type CartChoice = PriceChoice & { sellsNone?: boolean };

/** The sum of amounts, without floating-point error. */
const sumAmounts = (prices: readonly Price[]): number => Number(prices.reduce((sum, { amount }) => sum + amount, 0).toFixed(4));

/** Whether a code reduces the price of a title in the cart. */
export const hasReducedPrices = (entries: readonly CartEntry[]): boolean => entries.some(({ usual }) => usual !== undefined);

/** The cart as shown to the customer. The server charges its own total, which must be equal. */
export const quoteCart = (cartEntries: readonly CartEntry[], choice: CartChoice): CartQuote => {
  const entries =
    choice.sellsNone === true
      ? cartEntries.map((entry) => ({ ...entry, title: entry.title && { ...entry.title, forSale: false } }))
      : cartEntries;
  const currency = chooseCurrency(entries.filter(isForSale), choice);
  const lines = entries.map((entry): QuotedLine => {
    const fullPrice = isForSale(entry) ? findPrice(entry, currency) : null;
    const state = getLineState(entry, fullPrice);
    const price = state === 'reward' && fullPrice !== null ? { ...fullPrice, amount: 0 } : fullPrice;
    const before = state === 'payable' ? entry.usual?.find((each) => each.currency === currency) : undefined;
    return { ...entry, state, price, ...(before === undefined ? {} : { before }) };
  });
  const prices = lines.flatMap(({ price }) => price ?? []);
  const [first] = prices;
  if (first === undefined) return { lines, total: null };
  const total = { ...first, amount: sumAmounts(prices) };
  const fullTotal = { ...first, amount: sumAmounts(lines.flatMap(({ price, before }) => before ?? price ?? [])) };
  const discount = sumAmounts([fullTotal, { ...total, amount: -total.amount }]);
  return { lines, total, ...(discount > 0 ? { off: { ...first, amount: discount } } : {}) };
};

/** The ids of the titles that are paid for together, and of their free rewards. */
export const getPayableIds = ({ lines }: CartQuote): string[] =>
  lines.filter(({ state }) => state === 'payable' || state === 'reward').map(({ titleId }) => titleId);
