import type { Customer } from './customers.ts';
import { CARD_NUMBERS, submitCardForm, postFields } from './paying.ts';
import type { Shop } from './shop.ts';

type Card = { CardId: string; LastFour: string; ExpiryYear: number; Default: boolean };
type Cards = { Added?: string; Card?: Card[] };

/** Starts to save a card. @returns the URL of the gateway's page */
export async function startCardSession(shop: Shop, { query }: Customer, headers: Record<string, string> = {}): Promise<string> {
  const { status, value, text } = await shop.call('cardSession', '/card/session', { query, headers, method: 'POST' });
  if (status !== 200) throw new Error(`No page for a card: HTTP ${status} ${text}`);
  return (value as { url: string }).url;
}

/** The card token in the gateway's redirect; null if it has no token. */
export const readTokenParam = (response: Response): string | null =>
  new URL(response.headers.get('location') ?? '', 'http://gateway').searchParams.get('cardtoken');

/**
 * Submits a card on the gateway's page, and approves the bank's challenge if there is one.
 * @returns the token that `addCardByToken` needs
 */
export async function submitCardNumber(
  shop: Shop,
  customer: Customer,
  number = CARD_NUMBERS.good,
  extraFields: Record<string, string> = {},
): Promise<string> {
  const url = await startCardSession(shop, customer);
  const formResponse = await submitCardForm(url, number, extraFields);
  const [pageUrl, query = ''] = url.split('?');
  const redirect =
    number === CARD_NUMBERS.challenge ? await postFields(`${pageUrl}/challenge?${query}`, { answer: 'approve' }) : formResponse;
  const token = readTokenParam(redirect);
  if (token === null) throw new Error(`The gateway refuses the card ${number}.`);
  return token;
}

export async function addCardByToken(shop: Shop, { query }: Customer, token: string, extraXml = '') {
  const response = await shop.call('addCard', '/card/add', { query, body: `<Card><Token>${token}</Token>${extraXml}</Card>` });
  return { ...response, value: response.value as Cards & { Code?: string } };
}

/** Saves a card, and retries as a customer does when the response is lost. @returns its id */
export async function saveCard(shop: Shop, customer: Customer, number = CARD_NUMBERS.good): Promise<string> {
  const token = await submitCardNumber(shop, customer, number);
  const firstResponse = await addCardByToken(shop, customer, token);
  const { status, value, text } = firstResponse.status === 502 ? await addCardByToken(shop, customer, token) : firstResponse;
  if (value.Added === undefined) throw new Error(`The card ${number} was not added: HTTP ${status} ${text}`);
  return value.Added;
}

export const changeOrDeleteCard = (shop: Shop, { query }: Customer, call: 'deleteCard' | 'changeCard', cardId: string) =>
  shop.call(call, call === 'deleteCard' ? '/card/delete' : '/card/change', {
    query,
    body: `<Card><CardId>${cardId}</CardId></Card>`,
  });

export async function readCards(shop: Shop, { query }: Customer): Promise<Card[]> {
  const { value } = await shop.call('allCards', '/card/all', { query });
  return (value as Cards).Card ?? [];
}

export const selectCards = (shop: Shop, { id }: Customer) =>
  shop.db.selectFrom('cards').selectAll().where('user_id', '=', id).execute();

/** The gateway's token of a saved card. */
export async function readGatewayToken(shop: Shop, cardId: string): Promise<string> {
  const row = await shop.db.selectFrom('cards').select('gateway_card').where('id', '=', cardId).executeTakeFirstOrThrow();
  return row.gateway_card;
}

/**
 * Cards of the customer's store that are queued for deletion at the gateway, and whether each is
 * deleted.
 */
export const selectCardDeletions = (shop: Shop, { store }: Customer) =>
  shop.db.selectFrom('forgotten_cards').select(['gateway_card', 'done']).where('store_id', '=', store).execute();

/** Whether the gateway still accepts a card. */
export async function isSavedAtGateway(shop: Shop, customer: Customer, cardToken: string): Promise<boolean> {
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
