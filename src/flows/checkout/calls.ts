import type { PaymentSession, PaymentState } from '../../../machines/model/purchase.ts';
import type { Tax } from '../../../machines/model/tax.ts';
import { Price } from '../../../machines/model/title.ts';
import { xmlAnswer } from '../../client/answer.ts';
import type { Api } from '../../client/client.ts';
import type { Credits } from '../../../machines/model/subscription.ts';
import { granted, type Grant } from '../../client/free-title.ts';
import { jsonAnswer } from '../../client/json.ts';
import { methodOf } from '../../client/payment-methods.ts';
import { SessionAnswer, StateAnswer } from '../../client/payment-status.ts';
import { checked, raise } from '../../client/problem.ts';
import { taxQuery } from '../../client/tax.ts';
import { pricesOf } from '../../client/title-fields.ts';
import { flagIn, textIn } from '../../client/xml-node.ts';

/**
 * Begins the purchase of a title and charges nothing. The same `key` answers the same transaction, so that a lost answer
 * can be asked for again.
 * @throws Problem `refused` with `already_owned`, `not_for_sale` or `price_changed`.
 */
export const paymentSession = (
  api: Api,
  purchase: {
    titleId: string;
    price: Price | null;
    key: string;
    code?: string;
    tax?: Tax | undefined;
    method?: string | undefined;
  },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const { titleId, price, key, code, tax, method } = purchase;
  const query = { titleId, price: price?.amount, currency: price?.currency || undefined, code, ...taxQuery(tax) };
  const sending = api.client.GET('/payment/session', {
    params: { query: { ...query, method: methodOf(method) } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'payment/session', sending, SessionAnswer(api.base));
};

/** Buys a title by a card that the store keeps; a card that asks for an action leaves the transaction pending with a url. */
export const purchaseTitle = (
  api: Api,
  purchase: { titleId: string; cardId: string; price: Price | null; key: string; code?: string; tax?: Tax | undefined },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, cardId, price, key, code, tax } = purchase;
  const query = { titleId, cardId, Price: price?.amount, currency: price?.currency || undefined, RedeemPin: code };
  const sending = api.client.GET('/purchase/title', {
    params: { query: { ...query, ...taxQuery(tax) } },
    ...api.changing(key, signal),
  });
  return jsonAnswer(api, 'purchase/title', sending, StateAnswer(api.base));
};

/**
 * What a code leaves of a title's prices; uses nothing up.
 * @throws Problem `refused` with `code_misfit` where it takes nothing off, `code_used` where the customer has used it, and the server's own
 */
export const codePrices = async (
  api: Api,
  { code, titleId }: { code: string; titleId: string },
  signal?: AbortSignal,
): Promise<Price[]> => {
  const call = 'redeem/apply';
  const sending = api.client.GET('/redeem/apply', { params: { query: { code, titleid: titleId } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'redemption');
  if (flagIn(root, 'Redeemed') === true) return raise({ kind: 'refused', code: 'code_used', message: '' });
  const prices = pricesOf(root);
  const kind = textIn(root, 'Kind')?.toLowerCase() ?? (prices.length > 0 ? 'discount' : '');
  if (kind !== 'discount') return raise({ kind: 'refused', code: 'code_misfit', message: '' });
  return prices.map((price, at) => checked(call, Price, price, `prices.${at}`));
};

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
  return granted(api, 'purchase/credits', titleId, sending);
};
