import * as v from 'valibot';
import { PaymentSession, PaymentState } from '../../../machines/model/purchase.ts';
import { Price } from '../../../machines/model/title.ts';
import { webAddress } from '../../client/address.ts';
import { xmlAnswer } from '../../client/answer.ts';
import type { Api } from '../../client/client.ts';
import type { Credits } from '../../../machines/model/subscription.ts';
import { Grant } from '../../client/free-title.ts';
import { jsonAnswer } from '../../client/json.ts';
import { checked } from '../../client/problem.ts';
import { pricesOf } from '../../client/title-fields.ts';
import { flagIn, textIn } from '../../client/xml-node.ts';

const address = (base: string) =>
  v.pipe(
    v.string(),
    v.transform((text) => webAddress(text, base)),
  );

/**
 * Begins the purchase of a title and charges nothing. The same `key` answers the same transaction, so that a lost answer
 * can be asked for again.
 * @throws Problem `refused` with `already_owned`, `not_for_sale` or `price_changed`.
 */
export const paymentSession = (
  api: Api,
  purchase: { titleId: string; price: Price | null; key: string; code?: string },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const { titleId, price, key, code } = purchase;
  const sending = api.client.GET('/payment/session', {
    params: { query: { titleId, price: price?.amount, currency: price?.currency || undefined, method: 'card', code } },
    ...api.changing(key, signal),
  });
  const Answer = v.object({
    ...PaymentSession.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    provider: v.optional(v.string(), ''),
    url: v.pipe(address(api.base), v.nonEmpty('no http(s) address')),
  });
  return jsonAnswer(api, 'payment/session', sending, Answer);
};

const State = (base: string) =>
  v.object({
    ...PaymentState.entries,
    transId: v.pipe(v.string(), v.nonEmpty()),
    titleId: v.optional(v.string(), ''),
    intentId: v.nullish(v.string(), null),
    url: v.nullish(
      v.pipe(
        address(base),
        v.transform((text) => text || null),
      ),
      null,
    ),
    reason: v.nullish(v.string(), null),
  });

/** Buys a title by a card that the store keeps; a card that asks for an action leaves the transaction pending with a url. */
export const purchaseTitle = (
  api: Api,
  purchase: { titleId: string; cardId: string; price: Price | null; key: string; code?: string },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, cardId, price, key, code } = purchase;
  const sending = api.client.GET('/purchase/title', {
    params: { query: { titleId, cardId, Price: price?.amount, currency: price?.currency || undefined, RedeemPin: code } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'purchase/title', sending, State(api.base));
};

/**
 * Takes an authorised payment and grants the title, once for a transaction however often it is asked.
 * @throws Problem of any kind; `mayHaveHappened` tells the ones after which only the session status knows.
 */
export const confirmTitlePurchase = (
  api: Api,
  { transId, intentId, key }: { transId: string; intentId: string; key: string },
  signal?: AbortSignal,
): Promise<Grant> => {
  const sending = api.client.GET('/purchase/title/confirm', {
    params: { query: { transactonId: transId, intentId } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'purchase/title/confirm', sending, Grant);
};

/** What a code leaves of a title's prices; none where it takes nothing off, or the customer has used it. Uses nothing up. */
export const codePrices = async (
  api: Api,
  { code, titleId }: { code: string; titleId: string },
  signal?: AbortSignal,
): Promise<Price[]> => {
  const call = 'redeem/apply';
  const sending = api.client.GET('/redeem/apply', { params: { query: { code, titleid: titleId } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'redemption');
  if (flagIn(root, 'Redeemed') === true || textIn(root, 'Kind')?.toLowerCase() !== 'discount') return [];
  return pricesOf(root).map((price, at) => checked(call, Price, price, `prices.${at}`));
};

/** Where a transaction stands; changes nothing. */
export const sessionStatus = (api: Api, transId: string, signal?: AbortSignal): Promise<PaymentState> =>
  jsonAnswer(
    api,
    'checkout/session/status',
    api.client.GET('/checkout/session/status', { params: { query: { transId } }, ...api.reading(signal) }),
    State(api.base),
  );

/**
 * Gives credits for a title, once however often it is asked; who has the title already keeps theirs.
 * @throws Problem `refused` with `insufficient_credits`, `price_changed` or `not_for_sale`
 */
export const buyWithCredits = (
  api: Api,
  { titleId, credits, key }: { titleId: string; credits: Credits; key: string },
  signal?: AbortSignal,
): Promise<Grant> => {
  const body = { titleId, credits: credits.amount, creditCurrency: credits.currency };
  const sending = api.client.POST('/purchase/credits', { body, ...api.changing(key, signal) });
  return jsonAnswer(api, 'purchase/credits', sending, Grant);
};
