import type { Customer } from './customers.ts';
import { CARD_NUMBERS, submitCardForm, type Session } from './paying.ts';
import type { Shop } from './shop.ts';

type QueryValues = Record<string, string | number | undefined>;

type Line = { TitleId: string; Name: string; AddedAt: string; Owned: boolean };
export type Cart = { Count: number; Total?: number; Currency?: string; Lines?: Line[]; Titles?: { TitleId: string }[] };

const cartPaths = {
  addToCart: '/cart/add',
  removeFromCart: '/cart/remove',
  removeCampaign: '/cart/removeCampaign',
  cartTitles: '/cart/titles',
} as const;

/** Calls one of the cart's operations. */
export async function callCart(shop: Shop, customer: Customer, call: keyof typeof cartPaths, query: QueryValues = {}) {
  const response = await shop.call(call, cartPaths[call], { query: { ...customer.query, ...query } });
  return { ...response, value: response.value as Cart & { Code?: string } };
}

export const addTitle = (shop: Shop, customer: Customer, titleId: string, extraQuery: QueryValues = {}) =>
  callCart(shop, customer, 'addToCart', { titleId, ...extraQuery });

/** Puts titles into a new customer's cart; the last one added is the first in the list. */
export async function fillCart(shop: Shop, customer: Customer, titleIds: readonly string[]): Promise<void> {
  for (const [index, titleId] of titleIds.entries()) {
    const { status, text } = await addTitle(shop, customer, titleId, {
      addedAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
    });
    if (status !== 200) throw new Error(`The title ${titleId} was not added to the cart: HTTP ${status} ${text}`);
  }
}

export const listTitleIds = ({ Lines = [] }: Cart): string[] => Lines.map(({ TitleId }) => TitleId);

export const startCartSession = (shop: Shop, customer: Customer, query: QueryValues = {}, headers: Record<string, string> = {}) =>
  shop.call('cartSession', '/checkout/cart/session', { query: { ...customer.query, ...query }, headers });

/** Authorises a payment of the cart without confirming it. */
export async function authorizeCart(shop: Shop, customer: Customer, card = CARD_NUMBERS.good): Promise<Session> {
  const { status, value, text } = await startCartSession(shop, customer);
  if (status !== 200) throw new Error(`No payment session for the cart: HTTP ${status} ${text}`);
  const response = await submitCardForm((value as Session).url, card);
  if (response.status !== 303) throw new Error(`The card was not accepted: HTTP ${response.status} ${await response.text()}`);
  return value as Session;
}
