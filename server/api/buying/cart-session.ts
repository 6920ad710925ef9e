import { payCart } from '../../purchases/pay-cart.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { buyerOf, payerOf } from '../calls/caller.ts';
import { sessionOf } from './payment-session.ts';

/**
 * Begins the payment of the cart, by a kept card or on the gateway's page. With `giftInfo` another
 * person gets all of it.
 */
export async function cartSession(call: CustomerCall<'cartSession'>): Answer<'cartSession'> {
  const { services, query } = call;
  const { giftInfo, method, cardId } = query;
  const purchase = { shown: query, giftInfo, tax: query, method, cardId };
  return sessionOf(await payCart(services, buyerOf(call), payerOf(call), purchase));
}
