import { roundToCurrency } from '../../../../machines/model/store/currency.ts';
import type { PaymentSession, PaymentState } from '../../../../machines/model/buying/purchase.ts';
import type { Tax } from '../../../../machines/model/buying/tax.ts';
import { Price } from '../../../../machines/model/catalogue/title.ts';
import { readXmlResponse } from '../../../client/wire/xml-response.ts';
import type { Api } from '../../../client/wire/client.ts';
import type { Credits } from '../../../../machines/model/buying/subscription.ts';
import { readGrant, type Grant } from '../../../client/catalogue/free-title.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { toMethodQuery } from '../../../client/payment/payment-methods.ts';
import { SessionResponse, StateResponse } from '../../../client/payment/payment-status.ts';
import { validate, throwProblem } from '../../../client/wire/problem.ts';
import { toTaxQuery } from '../../../client/payment/tax.ts';
import { getPrices } from '../../../client/catalogue/title-fields.ts';
import { getFlag, getNumber, getText, type XmlNode } from '../../../client/wire/xml-node.ts';

/**
 * The order of a title, for the customer or as a gift. The server recognises a repetition of a gift
 * by the gift's id, of any other payment by `key`.
 */
type TitleOrder = {
  titleId: string;
  price: Price | null;
  key: string | null;
  /** Discount code; empty without one. */
  code: string;
  tax: Tax | null;
  /** GiftInfo as JSON text, for a gift. */
  giftInfo: string | undefined;
};

/**
 * Starts the payment of a title, without a charge. The same `key` returns the same transaction, so
 * that the call can be retried after a lost response.
 * @throws Problem `refused` with `already_owned`, `not_for_sale`, `free`, `price_changed` or
 * `code_…`; with tax also `tax_place` or `country_not_served`; for a gift also `gift_day`,
 * `gift_info`, `gift_link`, `giver_link` or `gifting_off`
 */
export const startTitlePayment = (
  api: Api,
  { titleId, price, key, code, tax, giftInfo, method }: TitleOrder & { method: string | null },
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const query = {
    titleId,
    price: price?.amount,
    currency: price?.currency || undefined,
    code: code || undefined,
    ...toMethodQuery(method),
    giftInfo,
    ...toTaxQuery(tax),
  };
  const responsePromise = api.client.GET('/payment/session', { params: { query }, ...api.changeOptions(key, signal) });
  return readJsonResponse(api, 'payment/session', responsePromise, SessionResponse(api.base));
};

/**
 * Buys a title with a saved card. If the bank requires an action, the transaction stays pending,
 * with the `url` of the bank's page.
 */
export const buyTitleByCard = (
  api: Api,
  order: TitleOrder & {
    cardId: string;
    /** The country of the card's billing address. */
    country: string | undefined;
  },
  signal?: AbortSignal,
): Promise<PaymentState> => {
  const { titleId, cardId, price, key, code, tax, giftInfo, country } = order;
  const query = {
    titleId,
    cardId,
    Price: price?.amount,
    currency: price?.currency || undefined,
    RedeemPin: code || undefined,
    country,
    giftInfo,
    ...toTaxQuery(tax),
  };
  const responsePromise = api.client.GET('/purchase/title', { params: { query }, ...api.changeOptions(key, signal) });
  return readJsonResponse(api, 'purchase/title', responsePromise, StateResponse(api.base));
};

/** A title with its prices without a code, and the code to look up. */
export type CodeRequest = { titleId: string; prices: readonly Price[]; code: string };

/**
 * The prices reduced by a code; empty if the code does not reduce them. A response contains the
 * reduced prices, or only the discount.
 */
const getReducedPrices = (call: string, root: XmlNode, prices: readonly Price[]): Price[] => {
  const quotedPrices = getPrices(root);
  if (quotedPrices.length > 0) return quotedPrices.map((price, index) => validate(call, Price, price, `prices.${index}`));
  const remainingShare = 1 - (getNumber(root, 'PercentOff') ?? 0) / 100;
  if (remainingShare >= 1 || remainingShare < 0) return [];
  return prices.map((price) => ({ ...price, amount: roundToCurrency(price.currency, price.amount * remainingShare) }));
};

/**
 * Looks up the prices of a title with a code, without using the code.
 * @returns an empty list for a discount that does not reduce the prices
 * @throws Problem `refused` with `code_misfit` for a code without a discount, with `code_used` if
 * the customer has used it, and with the server's own error codes
 */
export const fetchCodePrices = async (
  api: Api,
  { code, titleId, prices }: CodeRequest,
  signal?: AbortSignal,
): Promise<Price[]> => {
  const call = 'redeem/apply';
  const responsePromise = api.client.GET('/redeem/apply', {
    params: { query: { code, titleid: titleId } },
    ...api.readOptions(signal),
  });
  const root = await readXmlResponse(api, call, responsePromise, 'redemption');
  if (getFlag(root, 'Redeemed') === true) return throwProblem({ kind: 'refused', code: 'code_used', message: '' });
  const reducedPrices = getReducedPrices(call, root, prices);
  const kind = getText(root, 'Kind')?.toLowerCase() ?? (reducedPrices.length > 0 ? 'discount' : '');
  return kind === 'discount' ? reducedPrices : throwProblem({ kind: 'refused', code: 'code_misfit', message: '' });
};

/**
 * Buys a title with credits. Idempotent; a customer who owns the title already keeps their credits.
 * @throws Problem `refused` with `insufficient_credits`, `price_changed` or `not_for_sale`
 */
export const buyWithCredits = (
  api: Api,
  { titleId, credits, key }: { titleId: string; credits: Credits; key: string },
  signal?: AbortSignal,
): Promise<Grant> => {
  const body = { titleId, credits: credits.amount, creditCurrency: credits.currency };
  const responsePromise = api.client.POST('/purchase/credits', { body, ...api.changeOptions(key, signal) });
  return readGrant(api, 'purchase/credits', titleId, responsePromise);
};
