import * as v from 'valibot';
import type { AddedCard, Card, CardForm } from '../../../machines/model/buying/card.ts';
import { mayHaveHappened } from '../../../machines/model/problem.ts';
import { type BillingAddress, billingAddressIn } from './billing-addresses.ts';
import { gatewayPage } from './gateway-page.ts';
import { xmlAnswer } from '../wire/answer.ts';
import type { Api } from '../wire/client.ts';
import { jsonAnswer } from '../wire/json.ts';
import { orWhenMissing, problemOfFailure, raise } from '../wire/problem.ts';
import { shopNow } from '../wire/shop-time.ts';
import { sieve } from '../wire/sieve.ts';
import { orWithoutCall } from '../wire/unknown-call.ts';
import { xmlBody } from '../wire/xml-body.ts';
import { childrenOf, flagIn, numberIn, textIn, type XmlNode } from '../wire/xml-node.ts';

const CardId = v.pipe(v.string(), v.nonEmpty());
const Month = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(12));
const Year = v.pipe(v.number(), v.integer(), v.minValue(2000), v.maxValue(2999));

/** A card is good until the end of its month. One without a date is not known to have expired. */
const expiryOf = (node: XmlNode, now: number): { expiry: string; isExpired: boolean } => {
  const [month, year] = [numberIn(node, 'ExpiryMonth'), numberIn(node, 'ExpiryYear')];
  if (!v.is(Month, month) || !v.is(Year, year)) return { expiry: '', isExpired: false };
  const expiry = `${String(month).padStart(2, '0')}/${String(year % 100).padStart(2, '0')}`;
  return { expiry, isExpired: Date.UTC(year, month, 1) <= now };
};

const cardsIn = (api: Api, call: string, root: XmlNode, now = shopNow(api)): Card[] => {
  const readable = sieve(api, call, 'cards', CardId);
  const cards = childrenOf(root, 'Card').flatMap((node) => {
    const { expiry, isExpired } = expiryOf(node, now);
    return readable.take(textIn(node, 'CardId')).map((id) => ({
      id,
      isDefault: flagIn(node, 'Default') ?? false,
      isExpired,
      pii: { brand: textIn(node, 'Brand') ?? '', last4: textIn(node, 'LastFour') ?? '', expiry },
    }));
  });
  readable.end();
  return cards;
};

/**
 * The customer's cards, the default one first.
 * @param addresses is filled with the billing addresses, by card id
 */
export const allCards = async (api: Api, signal: AbortSignal, addresses?: Map<string, BillingAddress>): Promise<Card[]> => {
  const call = 'card/all';
  const root = await xmlAnswer(api, call, api.client.GET('/card/all', api.reading(signal)), 'cards');
  // None of a customer who was here before.
  addresses?.clear();
  for (const node of childrenOf(root, 'Card')) addresses?.set(textIn(node, 'CardId') ?? '', billingAddressIn(node));
  return cardsIn(api, call, root);
};

/** The cards that a change has left; a server may say no more than that it is done. */
const cardsAfter = async (api: Api, call: string, root: XmlNode | null, signal: AbortSignal): Promise<Card[]> => {
  const cards = root === null ? [] : cardsIn(api, call, root);
  return cards.length > 0 ? cards : allCards(api, signal);
};

/** The address of the gateway's page on which a card is typed; null of a server that has none. */
export const cardSession = async (api: Api, signal: AbortSignal): Promise<{ url: string | null }> => {
  const call = 'card/session';
  const sending = api.client.POST('/card/session', api.changing(null, signal));
  return jsonAnswer(api, call, sending, gatewayPage(api)).catch((error: unknown) =>
    orWithoutCall<{ url: string | null }>(api, call, error, () => ({ url: null })),
  );
};

const sent = (api: Api, signal: AbortSignal) => ({
  bodySerializer: xmlBody('Card'),
  ...api.changing(null, signal),
  headers: { 'Content-Type': 'text/xml' },
});

/**
 * Adds the card that the gateway has given this token for, once however often it is asked.
 * @throws Problem `refused card_over` for a token that is not this customer's, or too old.
 */
export const addCard = async (api: Api, token: string, signal: AbortSignal): Promise<AddedCard> => {
  const call = 'card/add';
  const sending = api.client.POST('/card/add', { body: { Token: token }, ...sent(api, signal) });
  const root = await xmlAnswer(api, call, sending, 'result');
  return { cards: await cardsAfter(api, call, root, signal), addedId: textIn(root, 'Added') ?? null };
};

/** Adds a card that was typed on this page, of a server without a gateway's page for cards. */
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
  // Our own server has a token in this place.
  const sending = api.client.POST('/card/add', { body: body as unknown as { Token: string }, ...sent(api, signal) });
  const root = await xmlAnswer(api, call, sending, 'result');
  return { cards: await cardsAfter(api, call, root, signal), addedId: textIn(root, 'Added') ?? null };
};

/**
 * Adds typed cards, each once: where an answer was lost, the cards are read before the same card is
 * sent again.
 */
export const typedCards = () => {
  /** The last digits and the expiry of a card that may have been added. */
  let unsure: { last4: string; expiry: string } | null = null;
  return {
    add: async (api: Api, form: CardForm, signal: AbortSignal): Promise<AddedCard> => {
      const typed = { last4: form.cardNumber.slice(-4), expiry: form.cardExpiry };
      const isTyped = ({ last4, expiry }: typeof typed) => last4 === typed.last4 && (expiry === '' || expiry === typed.expiry);
      if (unsure !== null && isTyped(unsure)) {
        const cards = await allCards(api, signal);
        const added = cards.find(({ pii }) => isTyped(pii));
        unsure = null;
        if (added !== undefined) return { cards, addedId: added.id };
      }
      try {
        return await addTypedCard(api, form, signal);
      } catch (error) {
        const problem = problemOfFailure(error);
        if (mayHaveHappened(problem)) unsure = typed;
        return raise(problem);
      }
    },
  };
};

/** Takes a card off. @returns those that are left; one that is gone already is what was wanted */
export const deleteCard = async (api: Api, cardId: string, signal: AbortSignal): Promise<Card[]> => {
  const call = 'card/delete';
  const sending = api.client.POST('/card/delete', { body: { CardId: cardId }, ...sent(api, signal) });
  const root = await xmlAnswer(api, call, sending, 'result').catch((error: unknown) => orWhenMissing(error, null));
  return cardsAfter(api, call, root, signal);
};

/** Makes a card the default one. @returns all cards; without it where it is gone */
export const changeCard = async (api: Api, cardId: string, signal: AbortSignal): Promise<Card[]> => {
  const call = 'card/change';
  const sending = api.client.POST('/card/change', { body: { CardId: cardId }, ...sent(api, signal) });
  const root = await xmlAnswer(api, call, sending, 'result').catch((error: unknown) => orWhenMissing(error, null));
  return cardsAfter(api, call, root, signal);
};
