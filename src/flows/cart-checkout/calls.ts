import type { PaymentSession } from '../../../machines/model/purchase.ts';
import type { Tax } from '../../../machines/model/tax.ts';
import type { Price } from '../../../machines/model/title.ts';
import type { Api } from '../../client/client.ts';
import { jsonAnswer } from '../../client/json.ts';
import { taxQuery } from '../../client/tax.ts';
import { SessionAnswer } from '../../client/payment-status.ts';

/** What the customer has seen of the cart, and by which card they pay: null for the gateway's page. */
type Seen = { titleIds: readonly string[]; price: Price | null; cardId: string | null; key: string; tax?: Tax | undefined };

/**
 * Begins the payment of the cart, and charges nothing. With a card that the gateway keeps it is authorised by that.
 * @throws Problem `refused` with `price_changed` where the cart or its price is another, `already_owned`, `cart_empty`, or, with
 * a card, `card_declined`
 */
export const cartSession = (
  api: Api,
  { titleIds, price, cardId, key, tax }: Seen,
  signal?: AbortSignal,
): Promise<PaymentSession> => {
  const query = {
    titleids: titleIds.join(','),
    price: price?.amount,
    currency: price?.currency || undefined,
    method: 'card' as const,
    cardId: cardId ?? undefined,
    ...taxQuery(tax),
  };
  const sending = api.client.GET('/checkout/cart/session', { params: { query }, ...api.changing(key, signal) });
  return jsonAnswer(api, 'checkout/cart/session', sending, SessionAnswer(api.base));
};
