import { isPaidIn } from '../../machines/model/store/paid-in.ts';
import { nearestMinor, toMajor } from '../base/money.ts';
import { cartDiscount } from '../codes/payment-code.ts';
import type { Database } from '../database/open.ts';
import type { PaymentMethod } from '../database/schema/payments.ts';
import { givenBefore, openGift, readGiftFor } from '../gifts/open-gift.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Buyer, fromOf, type Payer } from '../payment/buyer.ts';
import { tokenOfCard } from '../payment/cards.ts';
import { attempt } from '../payment/gateway-failure.ts';
import { type Begun, endDeclined, intentFor, methodOf } from '../payment/intents.ts';
import { linesOf, type OrderLine, totalOf } from '../payment/order.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { requireSelling } from '../payment/require-selling.ts';
import type { Transaction } from '../payment/transactions.ts';
import { openTitles } from './kinds/titles.ts';
import { taxedOrder, taxTerms, type TaxTold } from '../tax/tax-order.ts';
import { type Cart, readCart, refuseMisfit } from '../cart/read-cart.ts';

/** The cart as the customer was shown it; a part that is left out is not compared. */
export type ShownCart = {
  titleids?: string | undefined;
  price?: number | undefined;
  currency?: string | undefined;
  /** typed to make it cheaper */
  code?: string | undefined;
};

export type CartPurchase = {
  shown: ShownCart;
  /** For whom else it is: GiftInfo as JSON text; empty or left out, it is for the customer. */
  giftInfo?: string | undefined;
  tax: TaxTold;
  method?: 'card' | PaymentMethod | undefined;
  /** a kept card, which needs no page of the gateway */
  cardId?: string | undefined;
};

/** Characters of the gateway's page for what is bought. */
const LONGEST_DESCRIPTION = 200;

const empty = () => new DomainError('conflict', 'There’s nothing in the cart to pay for.', { code: 'cart_empty' });

const sorted = (ids: readonly string[]): string => ids.toSorted().join(',');

/**
 * Whether the titles of the cart and its price are still those that the customer was shown. The
 * server charges its own price, and charges nothing where the customer saw another.
 */
function isAsShown({ payable, currency }: Cart, { titleids, price, currency: shownIn }: ShownCart): boolean {
  if (shownIn !== undefined && shownIn !== currency) return false;
  if (titleids !== undefined && sorted([...new Set(titleids.split(','))]) !== sorted(payable.map((line) => line.titleId)))
    return false;
  return price === undefined || (currency !== null && nearestMinor(price, currency) === totalOf({ lines: payable }));
}

/**
 * @throws DomainError conflict cart_empty, or price_changed where the cart or its price is another
 * than was shown
 */
function refuseOther(cart: Cart, shown: ShownCart): asserts cart is Cart & { currency: string } {
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
  db: Database,
  { storeId, userId }: Pick<Buyer, 'storeId' | 'userId'>,
  payer: Payer,
  shown: ShownCart,
): Promise<{ payable: OrderLine[]; currency: string; code: string | null }> {
  await requireSelling(db, storeId);
  const discount = await cartDiscount(db, payer, shown.code);
  const { countries } = await taxTerms(db, storeId);
  const isTaken = shown.currency !== undefined && isPaidIn(shown.currency, countries);
  // A currency that the store does not take there changes nothing.
  const cart = await readCart(
    db,
    { store_id: storeId, user_id: userId },
    { wanted: isTaken ? shown.currency : undefined, discount },
  );
  refuseMisfit(cart, discount);
  refuseOther(cart, shown);
  return { payable: cart.payable, currency: cart.currency, code: discount?.code ?? null };
}

/** The open transaction for the whole cart at today's price with tax; a gift has its own. */
async function begin(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  { shown, giftInfo, tax, method, cardId }: CartPurchase,
): Promise<Transaction> {
  const { db } = services;
  const of = { storeId: buyer.storeId, userId: buyer.userId };
  const gift = giftInfo ? await readGiftFor(db, of, giftInfo) : undefined;
  if (gift) {
    const given = await givenBefore(services, { ...of, kind: 'gift', isCart: true, lines: [] }, gift.id);
    // Titles that were given are no longer in the cart.
    if (given) return given;
  }
  const { payable: lines, currency, code } = await pricedCart(db, of, payer, shown);
  const order = { ...of, lines, currency, code, method: methodOf(services, cardId === undefined ? method : 'card') };
  if (!gift) return openTitles(services, await taxedOrder(db, { ...order, kind: 'cart', isCart: true }, tax));
  const taxed = await taxedOrder(db, { ...order, kind: 'gift', isCart: true }, tax);
  return openGift(services, taxed, gift, fromOf(buyer));
}

/**
 * Begins the payment of the cart: one transaction for all of its titles, and the gateway's page on
 * which it is paid; a kept card authorises it. Nothing is charged before it is confirmed.
 */
export async function payCart(services: PaymentServices, buyer: Buyer, payer: Payer, purchase: CartPurchase): Promise<Begun> {
  const { db } = services;
  const { cardId } = purchase;
  const cardToken = cardId === undefined ? undefined : await tokenOfCard(db, buyer, cardId);
  return attempt(services, buyer, { kinds: ['cart', 'gift'], titleId: null }, async () => {
    const transaction = await begin(services, buyer, payer, purchase);
    const description = await descriptionOf(db, transaction);
    const intent = await intentFor(services, buyer, { description }, transaction, cardToken);
    if (cardToken !== undefined) await endDeclined(services, transaction, intent);
    return { transaction, intent };
  });
}
