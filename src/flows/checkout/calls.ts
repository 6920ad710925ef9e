import type { PaymentSession, PaymentState } from '../../../machines/model/purchase.ts';
import type { Price } from '../../../machines/model/title.ts';
import type { Api } from '../../client/client.ts';
import { jsonAnswer } from '../../client/json.ts';
import { SessionAnswer, StateAnswer } from '../../client/payment-status.ts';

/**
 * Begins the purchase of a title and charges nothing. The same `key` answers the same transaction, so that a lost answer
 * can be asked for again.
 * @throws Problem `refused` with `already_owned`, `not_for_sale` or `price_changed`.
 */
export const paymentSession = (
  api: Api,
  purchase: { titleId: string; price: Price | null; key: string },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const { titleId, price, key } = purchase;
  const sending = api.client.GET('/payment/session', {
    params: { query: { titleId, price: price?.amount, currency: price?.currency || undefined, method: 'card' } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'payment/session', sending, SessionAnswer(api.base));
};

/** Buys a title by a card that the store keeps; a card that asks for an action leaves the transaction pending with a url. */
export const purchaseTitle = (
  api: Api,
  purchase: { titleId: string; cardId: string; price: Price | null; key: string },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, cardId, price, key } = purchase;
  const sending = api.client.GET('/purchase/title', {
    params: { query: { titleId, cardId, Price: price?.amount, currency: price?.currency || undefined } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'purchase/title', sending, StateAnswer(api.base));
};
