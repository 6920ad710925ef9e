import * as v from 'valibot';
import type { AddedCard, Card, CardForm } from '../../../machines/model/buying/card.ts';
import { isOutcomeUnknown } from '../../../machines/model/problem.ts';
import { type BillingAddress, getBillingAddress } from './billing-addresses.ts';
import { GatewayPage } from './gateway-page.ts';
import { readXmlResponse } from '../wire/xml-response.ts';
import type { Api } from '../wire/client.ts';
import { readJsonResponse } from '../wire/json.ts';
import { fallbackIfMissing, toFetchProblem, throwProblem } from '../wire/problem.ts';
import { getShopTime } from '../wire/shop-time.ts';
import { createItemParser } from '../wire/item-parser.ts';
import { fallbackIfUnavailable } from '../wire/unsupported-call.ts';
import { createXmlSerializer } from '../wire/xml-body.ts';
import { getChildren, getFlag, getNumber, getText, type XmlNode } from '../wire/xml-node.ts';

const CardId = v.pipe(v.string(), v.nonEmpty());
const Month = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12));
const Year = v.pipe(v.number(), v.integer(), v.minValue(2000), v.maxValue(2999));

/**
 * The expiry of a card as MM/YY, and whether it has passed: a card is valid until the end of its
 * month. Without a date, the expiry is empty and the card counts as not expired.
 */
const getExpiry = (node: XmlNode, now: number): { expiry: string; isExpired: boolean } => {
  const [month, year] = [getNumber(node, 'ExpiryMonth'), getNumber(node, 'ExpiryYear')];
  if (!v.is(Month, month) || !v.is(Year, year)) return { expiry: '', isExpired: false };
  const expiry = `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
  return { expiry, isExpired: Date.UTC(year, month, 1) <= now };
};

const getCards = (api: Api, call: string, root: XmlNode, now = getShopTime(api)): Card[] => {
  const parser = createItemParser(api, call, 'cards', CardId);
  const cards = getChildren(root, 'Card').flatMap((node) => {
    const { expiry, isExpired } = getExpiry(node, now);
    return parser.parse(getText(node, 'CardId')).map((id) => ({
      id,
      isDefault: getFlag(node, 'Default') ?? false,
      isExpired,
      pii: { brand: getText(node, 'Brand') ?? '', last4: getText(node, 'LastFour') ?? '', expiry },
    }));
  });
  parser.end();
  return cards;
};

/**
 * The customer's cards, in the server's order.
 * @param addresses is filled with the billing addresses, by card id
 */
export const fetchCards = async (api: Api, signal: AbortSignal, addresses?: Map<string, BillingAddress>): Promise<Card[]> => {
  const call = 'card/all';
  const root = await readXmlResponse(api, call, api.client.GET('/card/all', api.readOptions(signal)), 'cards');
  // Removes the addresses of a customer who used this page before.
  addresses?.clear();
  for (const node of getChildren(root, 'Card')) addresses?.set(getText(node, 'CardId') ?? '', getBillingAddress(node));
  return getCards(api, call, root);
};

/** The cards after a change, read again where the server answers only that the change is done. */
const readChangedCards = async (api: Api, call: string, root: XmlNode | null, signal: AbortSignal): Promise<Card[]> => {
  const cards = root === null ? [] : getCards(api, call, root);
  return cards.length > 0 ? cards : fetchCards(api, signal);
};

/** The address of the gateway's page for entering a card; null on a server without one. */
export const startCardSession = async (api: Api, signal: AbortSignal): Promise<{ url: string | null }> => {
  const call = 'card/session';
  const responsePromise = api.client.POST('/card/session', api.changeOptions(null, signal));
  return readJsonResponse(api, call, responsePromise, GatewayPage(api)).catch((error: unknown) =>
    fallbackIfUnavailable<{ url: string | null }>(api, call, error, () => ({ url: null })),
  );
};

const createCardRequestInit = (api: Api, signal: AbortSignal) => ({
  bodySerializer: createXmlSerializer('Card'),
  ...api.changeOptions(null, signal),
  headers: { 'Content-Type': 'text/xml' },
});

/**
 * Adds the card that the gateway issued this token for. Idempotent.
 * @throws Problem `refused`: `card_over` for a token that has expired, is another customer's or was
 * used for a card that has been removed; `payment_unavailable` if the gateway does not answer.
 */
export const addCard = async (api: Api, token: string, signal: AbortSignal): Promise<AddedCard> => {
  const call = 'card/add';
  const responsePromise = api.client.POST('/card/add', { body: { Token: token }, ...createCardRequestInit(api, signal) });
  const root = await readXmlResponse(api, call, responsePromise, 'result');
  return { cards: await readChangedCards(api, call, root, signal), addedId: getText(root, 'Added') ?? null };
};

/** Adds a card that was typed on this page, on a server without a gateway page for cards. */
const addTypedCard = async (api: Api, form: CardForm, signal: AbortSignal): Promise<AddedCard> => {
  const call = 'card/add';
  const { cardNumber, cardExpiry, cardCode, cardName } = form;
  const [month = '', year = ''] = cardExpiry.split('/');
  const body = {
    CardNumber: cardNumber,
    ExpiryMonth: month,
    ExpiryYear: `20${year}`,
    Cvc: cardCode,
    NameOnCard: cardName,
  };
  // Our contract has only the gateway's token here; these fields are for other servers.
  const responsePromise = api.client.POST('/card/add', {
    body: body as unknown as { Token: string },
    ...createCardRequestInit(api, signal),
  });
  const root = await readXmlResponse(api, call, responsePromise, 'result');
  return { cards: await readChangedCards(api, call, root, signal), addedId: getText(root, 'Added') ?? null };
};

/**
 * Adds typed cards, each once: after a lost answer, the cards are read before the same card is sent
 * again.
 */
export const createTypedCards = () => {
  /** The last digits and the expiry of a card that may have been added; null without one. */
  let unconfirmedCard: { last4: string; expiry: string } | null = null;
  return {
    add: async (api: Api, form: CardForm, signal: AbortSignal): Promise<AddedCard> => {
      const typedCard = { last4: form.cardNumber.slice(-4), expiry: form.cardExpiry };
      const matchesTypedCard = ({ last4, expiry }: typeof typedCard) =>
        last4 === typedCard.last4 && (expiry === '' || expiry === typedCard.expiry);
      if (unconfirmedCard !== null && matchesTypedCard(unconfirmedCard)) {
        const cards = await fetchCards(api, signal);
        const addedCard = cards.find(({ pii }) => matchesTypedCard(pii));
        unconfirmedCard = null;
        if (addedCard !== undefined) return { cards, addedId: addedCard.id };
      }
      try {
        return await addTypedCard(api, form, signal);
      } catch (error) {
        const problem = toFetchProblem(error);
        if (isOutcomeUnknown(problem)) unconfirmedCard = typedCard;
        return throwProblem(problem);
      }
    },
  };
};

/** Removes a card. Idempotent. @returns the cards that are left */
export const deleteCard = async (api: Api, cardId: string, signal: AbortSignal): Promise<Card[]> => {
  const call = 'card/delete';
  const responsePromise = api.client.POST('/card/delete', { body: { CardId: cardId }, ...createCardRequestInit(api, signal) });
  const root = await readXmlResponse(api, call, responsePromise, 'result').catch((error: unknown) =>
    fallbackIfMissing(error, null),
  );
  return readChangedCards(api, call, root, signal);
};

/** Makes a card the default one. @returns all cards, without a card that was removed before */
export const setDefaultCard = async (api: Api, cardId: string, signal: AbortSignal): Promise<Card[]> => {
  const call = 'card/change';
  const responsePromise = api.client.POST('/card/change', { body: { CardId: cardId }, ...createCardRequestInit(api, signal) });
  const root = await readXmlResponse(api, call, responsePromise, 'result').catch((error: unknown) =>
    fallbackIfMissing(error, null),
  );
  return readChangedCards(api, call, root, signal);
};
