import type { Customer } from './customers.ts';
import { CARD_NUMBERS, submitCardForm, type Session } from './paying.ts';
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

/** Calls one of the cart's operations. */
export async function cartCall(shop: Shop, customer: Customer, call: keyof typeof calls, query: Values = {}) {
  const answer = await shop.ask(call, calls[call], { query: { ...customer.query, ...query } });
  return { ...answer, value: answer.value as Cart & { Code?: string } };
}

export const addTitle = (shop: Shop, customer: Customer, titleId: string, more: Values = {}) =>
  cartCall(shop, customer, 'addToCart', { titleId, ...more });

/** Puts titles into a new customer's cart, the last one on top. */
export async function fillCart(shop: Shop, customer: Customer, titleIds: readonly string[]): Promise<void> {
  for (const [at, titleId] of titleIds.entries()) {
    const { status, text } = await addTitle(shop, customer, titleId, {
      addedAt: new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString(),
    });
    if (status !== 200) throw new Error(`Not added to the cart: ${text}`);
  }
}

export const titleIdsIn = ({ Lines = [] }: Cart): string[] => Lines.map(({ TitleId }) => TitleId);

export const startCartSession = (shop: Shop, customer: Customer, query: Values = {}, headers: Record<string, string> = {}) =>
  shop.ask('cartSession', '/checkout/cart/session', { query: { ...customer.query, ...query }, headers });

/** A payment of the cart that is authorised and not confirmed yet. */
export async function authorizeCart(shop: Shop, customer: Customer, card = CARD_NUMBERS.good): Promise<Session> {
  const { status, value, text } = await startCartSession(shop, customer);
  if (status !== 200) throw new Error(`No payment session: ${text}`);
  const answer = await submitCardForm((value as Session).url, card);
  if (answer.status !== 303) throw new Error(`Not authorised: ${await answer.text()}`);
  return value as Session;
}
