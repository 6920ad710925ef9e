import type { PaymentSession } from '../../../../machines/model/buying/purchase.ts';
import type { Tax } from '../../../../machines/model/buying/tax.ts';
import type { Price } from '../../../../machines/model/catalogue/title.ts';
import type { Api } from '../../../client/wire/client.ts';
import { jsonAnswer } from '../../../client/wire/json.ts';
import { methodQuery } from '../../../client/payment/payment-methods.ts';
import { SessionAnswer } from '../../../client/payment/payment-status.ts';
import { taxQuery } from '../../../client/payment/tax.ts';

/** What the customer has seen of the cart, and by which card they pay: null for the gateway's page, and how there. */
type Seen = {
  titleIds: readonly string[];
  price: Price | null;
  cardId: string | null;
  /** null by card */
  method: string | null;
  /** null where the server knows a repetition by something else */
  key: string | null;
  /** That makes it cheaper; empty for none. */
  code: string;
  /** For whom else it is: GiftInfo as JSON text. */
  giftInfo: string | undefined;
  tax: Tax | null;
};

/**
 * Begins the payment of the cart, and charges nothing. With a card that the gateway keeps it is authorised by that.
 * @throws Problem `refused` with `price_changed` where the cart or its price is another, `already_owned`, `cart_empty`, `code_…`, or,
 * with a card, `card_declined`; of a gift `gift_day`, `gift_info` or `gifting_off`
 */
export const cartSession = (
  api: Api,
  { titleIds, price, cardId, method, key, code, giftInfo, tax }: Seen,
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const query = {
    titleids: titleIds.join(','),
    price: price?.amount,
    currency: price?.currency || undefined,
    ...methodQuery(method),
    cardId: cardId ?? undefined,
    code: code || undefined,
    giftInfo,
    ...taxQuery(tax),
  };
  const sending = api.client.GET('/checkout/cart/session', { params: { query }, ...api.changing(key, signal) });
  return jsonAnswer(api, 'checkout/cart/session', sending, SessionAnswer(api.base));
};
