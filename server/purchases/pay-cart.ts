import { isLocalCurrency } from '../../machines/model/store/paid-in.ts';
import { toNearestMinor, toMajor } from '../base/money.ts';
import { readCartDiscount } from '../codes/payment-code.ts';
import type { Database } from '../database/open.ts';
import type { PaymentMethod } from '../database/schema/payments.ts';
import { findGivenPayment, openGift, readGiftFor } from '../gifts/open-gift.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Buyer, toEmailOrigin, type Payer } from '../payment/buyer.ts';
import { readCardToken } from '../payment/cards.ts';
import { attemptPurchase } from '../payment/gateway-failure.ts';
import { type StartedPayment, failDeclinedPayment, getOrCreateIntent, requireMethod } from '../payment/intents.ts';
import { readLines, type OrderLine, sumAmounts } from '../payment/order.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { requireSelling } from '../payment/require-selling.ts';
import type { Transaction } from '../payment/transactions.ts';
import { openTitlesPayment } from './kinds/titles.ts';
import { addTaxToOrder, readTaxTerms, type TaxFields } from '../tax/tax-order.ts';
import { type Cart, readCart, assertDiscountApplies } from '../cart/read-cart.ts';

/** The cart that the page has shown; fields that are left out are not compared. */
export type ShownCart = {
  titleids?: string | undefined;
  price?: number | undefined;
  currency?: string | undefined;
  /** discount code that the customer entered */
  code?: string | undefined;
};

export type CartPurchase = {
  shownCart: ShownCart;
  /** the gift's details: GiftInfo as JSON text; empty or left out: no gift */
  giftInfo?: string | undefined;
  tax: TaxFields;
  method?: 'card' | PaymentMethod | undefined;
  /** id of a saved card, which is charged without the gateway's page */
  cardId?: string | undefined;
};

/** Maximum characters of the description on the gateway's page. */
const MAX_DESCRIPTION_CHARS = 200;

const cartEmptyError = () => new DomainError('conflict', 'There’s nothing in the cart to pay for.', { code: 'cart_empty' });

const toSortedText = (ids: readonly string[]): string => ids.toSorted().join(',');

/**
 * Whether the cart's titles and price equal those that the page has shown. The server charges its
 * own price, and nothing if the customer saw another.
 */
function isAsShown({ payable, currency }: Cart, { titleids, price, currency: shownCurrency }: ShownCart): boolean {
  if (shownCurrency !== undefined && shownCurrency !== currency) return false;
  if (
    titleids !== undefined &&
    toSortedText([...new Set(titleids.split(','))]) !== toSortedText(payable.map((line) => line.titleId))
  )
    return false;
  return price === undefined || (currency !== null && toNearestMinor(price, currency) === sumAmounts({ lines: payable }));
}

/**
 * Checks that the cart is not empty, and that its titles and price are those that the page has
 * shown.
 * @throws DomainError conflict cart_empty, or price_changed with the current price
 */
function assertAsShown(cart: Cart, shownCart: ShownCart): asserts cart is Cart & { currency: string } {
  const { payable, currency } = cart;
  if (payable.length === 0 && shownCart.titleids === undefined) throw cartEmptyError();
  if (payable.length === 0 || currency === null || !isAsShown(cart, shownCart)) {
    const details: Record<string, string | number> =
      currency === null ? {} : { price: toMajor(sumAmounts({ lines: payable }), currency), currency };
    throw new DomainError('conflict', 'The cart, or its price, has changed.', { code: 'price_changed', details });
  }
}

/** Returns the titles' names in one line, for the gateway's page. */
async function describeCart(db: Database, transaction: Transaction): Promise<string> {
  const lines = await readLines(db, transaction);
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
  return text.length <= MAX_DESCRIPTION_CHARS ? text : `${text.slice(0, MAX_DESCRIPTION_CHARS - 1)}…`.toWellFormed();
}

/**
 * Returns the cart's payable lines at current prices less its discount, without tax.
 * @throws DomainError conflict not_for_sale, cart_empty or price_changed; the errors of
 * `readCartDiscount`
 */
export async function priceCart(
  db: Database,
  { storeId, userId }: Pick<Buyer, 'storeId' | 'userId'>,
  payer: Payer,
  shownCart: ShownCart,
): Promise<{ payable: OrderLine[]; currency: string; code: string | null }> {
  await requireSelling(db, storeId);
  const discount = await readCartDiscount(db, payer, shownCart.code);
  const { countries } = await readTaxTerms(db, storeId);
  const isAccepted = shownCart.currency !== undefined && isLocalCurrency(shownCart.currency, countries);
  // A currency of none of the store's countries is ignored.
  const cart = await readCart(
    db,
    { store_id: storeId, user_id: userId },
    { requestedCurrency: isAccepted ? shownCart.currency : undefined, discount },
  );
  assertDiscountApplies(cart, discount);
  assertAsShown(cart, shownCart);
  return { payable: cart.payable, currency: cart.currency, code: discount?.code ?? null };
}

/**
 * Returns or creates the open transaction for the whole cart at the current price with tax; a gift
 * has a transaction of its own.
 */
async function openCartTransaction(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  { shownCart, giftInfo, tax, method, cardId }: CartPurchase,
): Promise<Transaction> {
  const { db } = services;
  const owner = { storeId: buyer.storeId, userId: buyer.userId };
  const gift = giftInfo ? await readGiftFor(db, owner, giftInfo) : undefined;
  if (gift) {
    const givenPayment = await findGivenPayment(services, { ...owner, kind: 'gift', isCart: true, lines: [] }, gift.id);
    // The call is a retry: the gift's titles may have left the cart since.
    if (givenPayment) return givenPayment;
  }
  const { payable: lines, currency, code } = await priceCart(db, owner, payer, shownCart);
  const order = { ...owner, lines, currency, code, method: requireMethod(services, cardId === undefined ? method : 'card') };
  if (!gift) return openTitlesPayment(services, await addTaxToOrder(db, { ...order, kind: 'cart', isCart: true }, tax));
  const taxedOrder = await addTaxToOrder(db, { ...order, kind: 'gift', isCart: true }, tax);
  return openGift(services, taxedOrder, gift, toEmailOrigin(buyer));
}

/**
 * Starts the payment of the cart: one transaction for all titles, with its intent at the gateway. A
 * saved card authorises the payment. No money is charged before the confirmation.
 */
export async function payCart(
  services: PaymentServices,
  buyer: Buyer,
  payer: Payer,
  purchase: CartPurchase,
): Promise<StartedPayment> {
  const { db } = services;
  const { cardId } = purchase;
  const cardToken = cardId === undefined ? undefined : await readCardToken(db, buyer, cardId);
  return attemptPurchase(services, buyer, { kinds: ['cart', 'gift'], titleId: null }, async () => {
    const transaction = await openCartTransaction(services, buyer, payer, purchase);
    const description = await describeCart(db, transaction);
    const intent = await getOrCreateIntent(services, buyer, { description }, transaction, cardToken);
    if (cardToken !== undefined) await failDeclinedPayment(services, transaction, intent);
    return { transaction, intent };
  });
}
