import type { Customer } from './customers.ts';
import { CARDS, pay, post } from './paying.ts';
import type { Shop } from './shop.ts';

type Card = { CardId: string; LastFour: string; ExpiryYear: number; Default: boolean };
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

/** Types a card at the gateway, and approves it where its bank asks. @returns the token to add it by */
export async function typeCard(
  shop: Shop,
  customer: Customer,
  number = CARDS.good,
  more: Record<string, string> = {},
): Promise<string> {
  const url = await startCard(shop, customer);
  const typed = await pay(url, number, more);
  const [page, query = ''] = url.split('?');
  const back = number === CARDS.challenge ? await post(`${page}/challenge?${query}`, { answer: 'approve' }) : typed;
  const token = tokenIn(back);
  if (token === null) throw new Error(`The gateway does not take ${number}.`);
  return token;
}

export async function addCard(shop: Shop, { query }: Customer, token: string, more = '') {
  const answer = await shop.ask('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token>${more}</Card>` });
  return { ...answer, value: answer.value as Cards & { Code?: string } };
}

/** Keeps a card as a customer does, who tries again when the answer is lost. @returns its id */
export async function keepCard(shop: Shop, customer: Customer, number = CARDS.good): Promise<string> {
  const token = await typeCard(shop, customer, number);
  const first = await addCard(shop, customer, token);
  const { value, text } = first.status === 502 ? await addCard(shop, customer, token) : first;
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

export const rowsOf = (shop: Shop, { id }: Customer) =>
  shop.db.selectFrom('cards').selectAll().where('user_id', '=', id).execute();

/** The gateway's token of a card. */
export async function tokenOf(shop: Shop, cardId: string): Promise<string> {
  const row = await shop.db.selectFrom('cards').select('gateway_card').where('id', '=', cardId).executeTakeFirstOrThrow();
  return row.gateway_card;
}

/** What the gateway is to forget of the customer's store, and whether it has. */
export const forgottenOf = (shop: Shop, { store }: Customer) =>
  shop.db.selectFrom('forgotten_cards').select(['gateway_card', 'done']).where('store_id', '=', store).execute();

/** Whether the gateway still takes a card. */
export async function isKept(shop: Shop, customer: Customer, cardToken: string): Promise<boolean> {
  const intent = await shop.gateway.port.create({
    reference: `${customer.store}/${crypto.randomUUID()}`,
    amountMinor: 1,
    currency: 'EUR',
    description: 'A check',
    shopName: 'A shop',
    returnUrl: 'http://localhost/',
    language: 'en',
    customer: `${customer.store}/${customer.id}`,
    cardToken,
  });
  return intent.state === 'authorized';
}
