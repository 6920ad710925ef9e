import { payCart } from '../../purchases/pay-cart.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { toBuyer, toPayer } from '../calls/caller.ts';
import { toSession } from './payment-session.ts';

/**
 * Starts the payment of the cart, by a saved card or on the gateway's page. With `giftInfo` the
 * whole cart is a gift.
 */
export async function cartSession(call: CustomerCall<'cartSession'>): Answer<'cartSession'> {
  const { services, query } = call;
  const { giftInfo, method, cardId } = query;
  const purchase = { shownCart: query, giftInfo, tax: query, method, cardId };
  return toSession(await payCart(services, toBuyer(call), toPayer(call), purchase));
}
