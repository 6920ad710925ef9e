import type { Customer } from './customers.ts';
import { CARDS, pay } from './paying.ts';
import type { Shop } from './shop.ts';

export type Card = { CardId: string; LastFour: string; ExpiryYear: number; Default: boolean };
type Cards = { Added?: string; Card?: Card[] };

/** Begins to keep a card. @returns the gateway's page */
export async function startCard(shop: Shop, { query }: Customer, headers: Record<string, string> = {}): Promise<string> {
  const { status, value, text } = await shop.ask('cardSession', '/card/session', { query, headers, method: 'POST' });
  if (status !== 200) throw new Error(`No page for a card: ${text}`);
  return (value as { url: string }).url;
}

/** The token in the address that the gateway leads back to, or null. */
export const tokenIn = (answer: Response): string | null =>
  new URL(answer.headers.get('location') ?? '', 'http://gateway').searchParams.get('cardtoken');

/** Types a card at the gateway. @returns the token to add it by */
export async function typeCard(
  shop: Shop,
  customer: Customer,
  number = CARDS.good,
  more: Record<string, string> = {},
): Promise<string> {
  const token = tokenIn(await pay(await startCard(shop, customer), number, more));
  if (token === null) throw new Error(`The gateway does not take ${number}.`);
  return token;
}

export async function addCard(shop: Shop, { query }: Customer, token: string, more = '') {
  const answer = await shop.ask('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token>${more}</Card>` });
  return { ...answer, value: answer.value as Cards & { Code?: string } };
}

/** Keeps a card as a customer does. @returns its id */
export async function keepCard(shop: Shop, customer: Customer, number = CARDS.good): Promise<string> {
  const { value, text } = await addCard(shop, customer, await typeCard(shop, customer, number));
  if (value.Added === undefined) throw new Error(`No card: ${text}`);
  return value.Added;
}

export const choose = (shop: Shop, { query }: Customer, call: 'deleteCard' | 'changeCard', cardId: string) =>
  shop.ask(call, call === 'deleteCard' ? '/card/delete' : '/card/change', {
    query,
    body: `<Card><CardId>${cardId}</CardId></Card>`,
  });

export async function cardsOf(shop: Shop, { query }: Customer): Promise<Card[]> {
  const { value } = await shop.ask('allCards', '/card/all', { query });
  return (value as Cards).Card ?? [];
}
