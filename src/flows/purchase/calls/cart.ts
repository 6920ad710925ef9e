import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Tax } from '../../../../machines/model/buying/tax.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { readJsonResponse } from '../../../client/wire/json.ts';
import { toMethodQuery } from '../../../client/payment/payment-methods.ts';
import { SessionResponse } from '../../../client/payment/payment-status.ts';
import { toTaxQuery } from '../../../client/payment/tax.ts';

/** The cart as the customer saw it, and how it is paid for. */
type CartOrder = {
  titleIds: readonly string[];
  price: Price | null;
  /** The saved card; null for the gateway's page. */
  cardId: string | null;
  /** The payment method on the gateway's page; null for a card. */
  method: string | null;
  /**
   * The idempotency key; null for a gift, whose repetition the server recognises by the id in
   * `giftInfo`.
   */
  key: string | null;
  /** Discount code; empty without one. */
  code: string;
  /** GiftInfo as JSON text, for a gift. */
  giftInfo: string | undefined;
  tax: Tax | null;
};

/**
 * Starts the payment of the cart, without a charge. With a saved card, this authorises the payment.
 * @throws Problem `refused` with `price_changed` if the cart or its price has changed,
 * `already_owned`, `cart_empty` or `code_…`; with a card also `card_declined`; for a gift also
 * `gifting_off`, `gift_day` or `gift_info`
 */
export const startCartPayment = (
  api: Api,
  { titleIds, price, cardId, method, key, code, giftInfo, tax }: CartOrder,
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
  const responsePromise = api.client.GET('/checkout/cart/session', { params: { query }, ...api.changeOptions(key, signal) });
  return readJsonResponse(api, 'checkout/cart/session', responsePromise, SessionResponse(api.base));
};
