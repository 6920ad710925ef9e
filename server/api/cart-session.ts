import { isPaidIn } from '../../machines/model/paid-in.ts';
import { type Cart, readCart } from '../cart/read-cart.ts';
import { nearestMinor, toMajor } from '../base/money.ts';
import type { Database } from '../database/open.ts';
import { givenBefore, openGift, readGiftFor } from '../gifts/open-gift.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { openTitles } from '../purchases/titles.ts';
import { linesOf, type OrderLine, totalOf } from '../payment/order.ts';
import { requireSelling } from '../payment/require-selling.ts';
import type { Transaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { discountOf, ownerOf, refuseMisfit } from './cart.ts';
import { explainGatewayFailure } from './gateway-unavailable.ts';
import { endDeclined, intentFor } from '../payment/intents.ts';
import { methodOf } from '../purchases/title-purchase.ts';
import { buyerOf, fromOf } from './caller.ts';
import { notFound, DomainError } from '../kernel/errors.ts';
import { taxedOrder, taxTerms } from '../tax/tax-order.ts';

type Shown = Pick<CustomerCall<'cartSession'>['query'], 'titleids' | 'price' | 'currency' | 'code'>;

/** Characters of the gateway's page for what is bought. */
const LONGEST_DESCRIPTION = 200;

const empty = () => new DomainError('conflict', 'There’s nothing in the cart to pay for.', { code: 'cart_empty' });

const sorted = (ids: readonly string[]): string => ids.toSorted().join(',');

/**
 * Whether what is in the cart now, and its price, are what the customer was shown: the server charges its own figure, and no
 * other than the one that was seen, nor for other titles.
 */
function isAsShown({ payable, currency }: Cart, { titleids, price, currency: shownIn }: Shown): boolean {
  if (shownIn !== undefined && shownIn !== currency) return false;
  if (titleids !== undefined && sorted([...new Set(titleids.split(','))]) !== sorted(payable.map((line) => line.titleId)))
    return false;
  return price === undefined || (currency !== null && nearestMinor(price, currency) === totalOf({ lines: payable }));
}

/**
 * @throws DomainError conflict cart_empty, or price_changed where the cart or its price is another
 * than was shown
 */
function refuseOther(cart: Cart, shown: Shown): asserts cart is Cart & { currency: string } {
  const { payable, currency } = cart;
  if (payable.length === 0 && shown.titleids === undefined) throw empty();
  if (payable.length === 0 || currency === null || !isAsShown(cart, shown)) {
    const details: Record<string, string | number> =
      currency === null ? {} : { price: toMajor(totalOf({ lines: payable }), currency), currency };
    throw new DomainError('conflict', 'The cart, or its price, has changed.', { code: 'price_changed', details });
  }
}

/** All of it in one line of the gateway's page. */
async function descriptionOf(db: Database, transaction: Transaction): Promise<string> {
  const lines = await linesOf(db, transaction);
  const titles = await db
    .selectFrom('titles')
    .select(['id', 'name'])
    .where('store_id', '=', transaction.store_id)
    .where(
      'id',
      'in',
      lines.map(({ titleId }) => titleId),
    )
    .execute();
  const names = new Map(titles.map(({ id, name }) => [id, name]));
  const text = lines.map(({ titleId }) => names.get(titleId) ?? '').join(', ');
  return text.length <= LONGEST_DESCRIPTION ? text : `${text.slice(0, LONGEST_DESCRIPTION - 1)}…`.toWellFormed();
}

/**
 * The cart at today's prices, less what a code takes off; without tax.
 * @throws DomainError conflict not_for_sale, cart_empty, price_changed, code_unknown, code_misfit,
 * code_used, code_expired
 */
export async function pricedCart(
  call: CustomerCall,
  shown: Shown,
): Promise<{ payable: OrderLine[]; currency: string; code: string | null }> {
  await requireSelling(call.services.db, call.store.id);
  const discount = await discountOf(call, shown.code);
  const { countries } = await taxTerms(call.services.db, call.store.id);
  const isTaken = shown.currency !== undefined && isPaidIn(shown.currency, countries);
  // In any other money it costs what it does for everybody else.
  const cart = await readCart(call.services.db, ownerOf(call), { wanted: isTaken ? shown.currency : undefined, discount });
  refuseMisfit(cart, discount);
  refuseOther(cart, shown);
  return { payable: cart.payable, currency: cart.currency, code: discount?.code ?? null };
}

/** The open transaction for all of the cart at today's price with tax; of a gift, the one that is its own. */
async function beginCart(call: CustomerCall<'cartSession'>): Promise<Transaction> {
  const { services, store, customer, query } = call;
  const of = { storeId: store.id, userId: customer.id };
  const gift = query.giftInfo ? await readGiftFor(services.db, of, query.giftInfo) : undefined;
  if (gift) {
    const given = await givenBefore(services, { ...of, kind: 'gift', isCart: true, lines: [] }, gift.id);
    // What has been given is in the cart no more.
    if (given) return given;
  }
  const { payable: lines, currency, code } = await pricedCart(call, query);
  // A card that is kept needs no page.
  const method = methodOf(services, query.cardId === undefined ? query.method : 'card');
  const order = { ...of, lines, currency, code, method };
  return gift
    ? openGift(services, await taxedOrder(services.db, { ...order, kind: 'gift', isCart: true }, query), gift, fromOf(call))
    : openTitles(services, await taxedOrder(services.db, { ...order, kind: 'cart', isCart: true }, query));
}

/**
 * Begins the payment of the cart: one transaction for all of its titles, and the gateway's page to pay it on. With a kept card
 * the payment is authorised by it. Nothing is charged before it is confirmed. With `giftInfo` somebody else gets all of it.
 */
export async function cartSession(call: CustomerCall<'cartSession'>): Answer<'cartSession'> {
  const { services, store, customer, query } = call;
  const { cardId } = query;
  const owner = { storeId: store.id, userId: customer.id };
  const cardToken = cardId === undefined ? undefined : await tokenOfCard(services.db, owner, cardId);
  if (cardId !== undefined && cardToken === undefined) throw notFound('card');
  try {
    const transaction = await beginCart(call);
    const intent = await intentFor(
      services,
      buyerOf(call),
      { description: await descriptionOf(services.db, transaction) },
      transaction,
      cardToken,
    );
    if (cardToken !== undefined) await endDeclined(services, transaction, intent);
    return { transId: transaction.id, provider: transaction.provider, url: intent.url };
  } catch (error) {
    throw await explainGatewayFailure(call, { cart: true }, error);
  }
}
