import type { Customer } from './customers.ts';
import { CARDS, pay, type Session } from './paying.ts';
import type { Shop } from './shop.ts';

type Values = Record<string, string | number | undefined>;

type Line = { TitleId: string; Name: string; AddedAt: string; Owned: boolean };
export type Cart = { Count: number; Total?: number; Currency?: string; Lines?: Line[]; Titles?: { TitleId: string }[] };

const calls = {
  addToCart: '/cart/add',
  removeFromCart: '/cart/remove',
  removeCampaign: '/cart/removeCampaign',
  cartTitles: '/cart/titles',
} as const;

/** Asks one of the cart's calls. */
export async function cartCall(shop: Shop, customer: Customer, call: keyof typeof calls, query: Values = {}) {
  const answer = await shop.ask(call, calls[call], { query: { ...customer.query, ...query } });
  return { ...answer, value: answer.value as Cart & { Code?: string } };
}

export const add = (shop: Shop, customer: Customer, titleId: string, more: Values = {}) =>
  cartCall(shop, customer, 'addToCart', { titleId, ...more });

/** Puts titles into a new customer's cart, the last one on top. */
export async function fill(shop: Shop, customer: Customer, titleIds: readonly string[]): Promise<void> {
  for (const [at, titleId] of titleIds.entries()) {
    const { status, text } = await add(shop, customer, titleId, { addedAt: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString() });
    if (status !== 200) throw new Error(`Not in the cart: ${text}`);
  }
}

export const idsIn = ({ Lines = [] }: Cart): string[] => Lines.map(({ TitleId }) => TitleId);

export const beginCart = (shop: Shop, customer: Customer, query: Values = {}, headers: Record<string, string> = {}) =>
  shop.ask('cartSession', '/checkout/cart/session', { query: { ...customer.query, ...query }, headers });

/** A payment of the cart that the customer's bank has authorised and nobody has confirmed yet. */
export async function authorizedCart(shop: Shop, customer: Customer, card = CARDS.good): Promise<Session> {
  const { status, value, text } = await beginCart(shop, customer);
  if (status !== 200) throw new Error(`No session: ${text}`);
  const answer = await pay((value as Session).url, card);
  if (answer.status !== 303) throw new Error(`Not authorised: ${await answer.text()}`);
  return value as Session;
}
