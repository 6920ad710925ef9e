import { roundedIn } from '../../../../machines/model/store/currency.ts';
import type { PaymentSession, PaymentState } from '../../../../machines/model/buying/purchase.ts';
import type { Tax } from '../../../../machines/model/buying/tax.ts';
import { Price } from '../../../../machines/model/catalogue/title.ts';
import { xmlAnswer } from '../../../client/wire/answer.ts';
import type { Api } from '../../../client/wire/client.ts';
import type { Credits } from '../../../../machines/model/buying/subscription.ts';
import { granted, type Grant } from '../../../client/catalogue/free-title.ts';
import { jsonAnswer } from '../../../client/wire/json.ts';
import { methodQuery } from '../../../client/payment/payment-methods.ts';
import { SessionAnswer, StateAnswer } from '../../../client/payment/payment-status.ts';
import { checked, raise } from '../../../client/wire/problem.ts';
import { taxQuery } from '../../../client/payment/tax.ts';
import { pricesOf } from '../../../client/catalogue/title-fields.ts';
import { flagIn, numberIn, textIn, type XmlNode } from '../../../client/wire/xml-node.ts';

/**
 * The payment of a title: its price, and its recipient. A server recognises a repetition of a gift
 * by its own id, of any other payment by `key`.
 */
type Bought = {
  titleId: string;
  price: Price | null;
  key: string | null;
  /** That makes it cheaper; empty for none. */
  code: string;
  tax: Tax | null;
  /** For whom else it is: GiftInfo as JSON text. */
  giftInfo: string | undefined;
};

/**
 * Begins the payment of a title and makes no charge. The same `key` answers the same transaction,
 * so that a lost answer can be asked for again.
 * @throws Problem `refused` with `already_owned`, `not_for_sale` or `price_changed`; of a gift
 * `gift_day`, `gift_info` or `gifting_off`
 */
export const paymentSession = (
  api: Api,
  { titleId, price, key, code, tax, giftInfo, method }: Bought & { method: string | null },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const query = {
    titleId,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    ...methodQuery(method),
    giftInfo,
    ...taxQuery(tax),
  };
  const sending = api.client.GET('/payment/session', { params: { query }, ...api.changing(key, signal) });
  return jsonAnswer(api, 'payment/session', sending, SessionAnswer(api.base));
};

/**
 * Buys a title by a card that the store keeps; a card that asks for an action leaves the
 * transaction pending with a url.
 */
export const purchaseTitle = (
  api: Api,
  bought: Bought & {
    cardId: string;
    /** of the card's billing address */
    country: string | undefined;
  },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, cardId, price, key, code, tax, giftInfo, country } = bought;
  const query = {
    titleId,
    cardId,
    Price: price?.amount,
    currency: price?.currency || undefined,
    RedeemPin: code || undefined,
    country,
    giftInfo,
    ...taxQuery(tax),
  };
  const sending = api.client.GET('/purchase/title', { params: { query }, ...api.changing(key, signal) });
  return jsonAnswer(api, 'purchase/title', sending, StateAnswer(api.base));
};

/** A title, the prices that it has without a code, and the code. */
export type Coded = { titleId: string; prices: readonly Price[]; code: string };

/** A code may say what it leaves, or only how much of a price it takes off. */
const reduced = (call: string, root: XmlNode, prices: readonly Price[]): Price[] => {
  const told = pricesOf(root);
  if (told.length > 0) return told.map((price, at) => checked(call, Price, price, `prices.${at}`));
  const left = 1 - (numberIn(root, 'PercentOff') ?? 0) / 100;
  if (left >= 1 || left < 0) return [];
  return prices.map((price) => ({ ...price, amount: roundedIn(price.currency, price.amount * left) }));
};

/**
 * The prices of a title with a code, which is not used up by this.
 * @throws Problem `refused` with `code_misfit` where it does not reduce the price, `code_used`
 * where the customer has used it, and the server's own
 */
export const codePrices = async (api: Api, { code, titleId, prices }: Coded, signal?: AbortSignal): Promise<Price[]> => {
  const call = 'redeem/apply';
  const sending = api.client.GET('/redeem/apply', { params: { query: { code, titleid: titleId } }, ...api.reading(signal) });
  const root = await xmlAnswer(api, call, sending, 'redemption');
  if (flagIn(root, 'Redeemed') === true) return raise({ kind: 'refused', code: 'code_used', message: '' });
  const left = reduced(call, root, prices);
  const kind = textIn(root, 'Kind')?.toLowerCase() ?? (left.length > 0 ? 'discount' : '');
  return kind === 'discount' ? left : raise({ kind: 'refused', code: 'code_misfit', message: '' });
};

/**
 * Gives credits for a title, once for all repetitions; a customer who has the title already keeps
 * their credits.
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
