import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Tax } from '../../../../machines/model/buying/tax.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { toMethodQuery } from '../../../client/payment/payment-methods.ts';
import { SessionResponse } from '../../../client/payment/payment-status.ts';
import { toTaxQuery } from '../../../client/payment/tax.ts';

/**
 * The cart as the customer saw it, and the card to pay with: null for the gateway's page with a
 * method.
 */
type ShownCart = {
  titleIds: readonly string[];
  price: Price | null;
  cardId: string | null;
  /** null for a card */
  method: string | null;
  /** null where the server recognises a repetition by another value */
  key: string | null;
  /** Discount code; empty without one. */
  code: string;
  /** GiftInfo as JSON text, for a gift. */
  giftInfo: string | undefined;
  tax: Tax | null;
};

/**
 * Starts the payment of the cart, without a charge. With a saved card, this authorises the payment.
 * @throws Problem `refused` with `price_changed` where the cart or its price has changed,
 * `already_owned`, `cart_empty`, `code_…`, or, with a card, `card_declined`; of a gift `gift_day`,
 * `gift_info` or `gifting_off`
 */
export const startCartPayment = (
  api: Api,
  { titleIds, price, cardId, method, key, code, giftInfo, tax }: ShownCart,
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const query = {
    titleids: titleIds.join(','),
    price: price?.amount,
    currency: price?.currency || undefined,
    ...toMethodQuery(method),
    cardId: cardId ?? undefined,
    code: code || undefined,
    giftInfo,
    ...toTaxQuery(tax),
  };
  const sending = api.client.GET('/checkout/cart/session', { params: { query }, ...api.changeOptions(key, signal) });
  return readJsonResponse(api, 'checkout/cart/session', sending, SessionResponse(api.base));
};
