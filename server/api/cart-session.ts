import { type Cart, readCart } from '../cart/read-cart.ts';
import { toMajor, toMinor } from '../catalogue/money.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { openTransaction } from '../payment/open-transaction.ts';
import { totalOf } from '../payment/order.ts';
import type { Transaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { ownerOf } from './cart.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';
import { endDeclined, intentFor, methodOf } from './payment-session.ts';
import { notFound, Refusal } from './refusal.ts';
import { taxedOrder } from '../tax/tax-order.ts';

type Shown = Pick<CustomerCall<'cartSession'>['query'], 'titleids' | 'price' | 'currency'>;

/** Characters of the gateway's page for what is bought. */
const LONGEST_DESCRIPTION = 200;

const empty = () => new Refusal(409, 'There’s nothing in the cart to pay for.', { code: 'cart_empty' });

const sorted = (ids: readonly string[]): string => ids.toSorted().join(',');

/**
 * Whether what is in the cart now, and its price, are what the customer was shown: the server charges its own figure, and no
 * other than the one that was seen, nor for other titles.
 */
function isAsShown({ payable, currency }: Cart, { titleids, price }: Shown): boolean {
  if (titleids !== undefined && sorted([...new Set(titleids.split(','))]) !== sorted(payable.map((line) => line.titleId)))
    return false;
  return price === undefined || (currency !== null && toMinor(price, currency) === totalOf({ lines: payable }));
}

/** @throws Refusal 409 cart_empty, or price_changed where the cart or its price is another than was shown */
function refuseOther(cart: Cart, shown: Shown): asserts cart is Cart & { currency: string } {
  const { payable, currency } = cart;
  if (payable.length === 0 && shown.titleids === undefined) throw empty();
  if (payable.length === 0 || currency === null || !isAsShown(cart, shown)) {
    const extra: Record<string, string | number> =
      currency === null ? {} : { price: toMajor(totalOf({ lines: payable }), currency), currency };
    throw new Refusal(409, 'The cart, or its price, has changed.', { code: 'price_changed', extra });
  }
}

/** Where the gateway sends those back to who pay for a cart. */
const returnPath = (transId: string): string => `/cart/checkout?${new URLSearchParams({ transId }).toString()}`;

/** All of it in one line of the gateway's page. */
function descriptionOf({ lines, payable }: Cart): string {
  const names = payable.map(({ titleId }) => lines.find((line) => line.titleId === titleId)?.name ?? '');
  const text = names.join(', ');
  return text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION - 1)}…`.toWellFormed();
}

/** The cart at today's prices; without tax. @throws Refusal 409 cart_empty, price_changed */
export async function pricedCart(call: CustomerCall, shown: Shown): Promise<Cart & { currency: string }> {
  const cart = await readCart(call.services.db, ownerOf(call), shown.currency);
  refuseOther(cart, shown);
  return cart;
}

/** The cart, and the customer's open transaction for all of it at today's price with tax. */
async function beginCart(call: CustomerCall<'cartSession'>): Promise<{ cart: Cart; transaction: Transaction }> {
  const { services, store, customer, query } = call;
  const cart = await pricedCart(call, query);
  const order = {
    storeId: store.id,
    userId: customer.id,
    kind: 'cart' as const,
    lines: cart.payable,
    currency: cart.currency,
    code: null,
    // A card that is kept needs no page.
    method: methodOf(call, query.cardId === undefined ? query.method : 'card'),
  };
  const transaction = await openTransaction(services, await taxedOrder(services.db, order, query));
  return { cart, transaction };
}

/**
 * Begins the payment of the cart: one transaction for all of its titles, and the gateway's page to pay it on. With a kept card
 * the payment is authorised by it. Nothing is charged before it is confirmed.
 */
export async function cartSession(call: CustomerCall<'cartSession'>): Answer<'cartSession'> {
  const { services, store, customer, query } = call;
  if (query.giftInfo) throw new Refusal(501, 'A cart can’t be given as a gift yet.');
  // It would be charged without what the code takes off.
  if (query.code) throw new Refusal(501, 'A code can’t be used for a cart yet.');
  const { cardId } = query;
  const owner = { storeId: store.id, userId: customer.id };
  const cardToken = cardId === undefined ? undefined : await tokenOfCard(services.db, owner, cardId);
  if (cardId !== undefined && cardToken === undefined) throw notFound('card');
  try {
    const { cart, transaction } = await beginCart(call);
    const order = { description: descriptionOf(cart), returnPath: returnPath(transaction.id) };
    const intent = await intentFor(call, order, transaction, cardToken);
    if (cardToken !== undefined) await endDeclined(call, transaction, intent);
    return { transId: transaction.id, provider: transaction.provider, url: intent.url };
  } catch (error) {
    throw await explainGatewayFailure(call, { cart: true }, error);
  }
}
