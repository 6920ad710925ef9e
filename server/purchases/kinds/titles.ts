import { randomUUID } from 'node:crypto';
import { paymentReturnPath, purchaseSuccessPath, withQuery } from '../../../machines/model/paths.ts';
import { type Database, isUniqueViolation } from '../../database/open.ts';
import { grant, ownedCopy, takeBack } from '../../entitlements/ownership.ts';
import { beingCharged } from '../../payment/being-charged.ts';
import { openPayment } from '../../payment/open-payment.ts';
import { alreadyOwned, boughtElsewhere, insertTransaction } from '../../payment/open-transaction.ts';
import { isForOrder, linesOf, type Order, titleOf } from '../../payment/order.ts';
import type { PaymentServices } from '../../payment/payment-services.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import { purchasedCopy } from '../purchased-copy.ts';
import { isOpen, OPEN, type Transaction } from '../../payment/transactions.ts';

async function ownsOneOf(
  db: Database,
  owner: { storeId: string; userId: string },
  titleIds: readonly string[],
): Promise<boolean> {
  for (const titleId of titleIds) if (await ownedCopy(db, { ...owner, titleId })) return true;
  return false;
}

async function refuseOwned(db: Database, { storeId, userId, lines }: Order): Promise<void> {
  const titleIds = lines.map(({ titleId }) => titleId);
  if (await ownsOneOf(db, { storeId, userId }, titleIds)) throw alreadyOwned();
}

const findOpen = (db: Database, order: Order): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', order.storeId)
    .where('user_id', '=', order.userId)
    .where('title_id', 'is not distinct from', titleOf(order))
    .where('kind', '=', order.kind)
    .where('status', 'in', OPEN)
    .executeTakeFirst();

async function begin(db: Database, provider: string, order: Order): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      const made = await insertTransaction(trx, provider, order);
      // Asked again now that no other transaction can be open: one that was paid in between shows
      // here.
      await refuseOwned(trx, order);
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_open') || isUniqueViolation(error, 'transactions_one_cart')) return undefined;
    throw error;
  }
}

/**
 * The customer's one open transaction for a title, or for their cart.
 * @throws DomainError conflict already_owned
 */
export const openTitles = (services: PaymentServices, order: Order & { kind: 'title' | 'cart' }): Promise<Transaction> =>
  openPayment(services, {
    refuse: () => refuseOwned(services.db, order),
    find: () => findOpen(services.db, order),
    isWanted: async (found) => {
      const isTitle = order.kind === 'title';
      // The payment may have been for fewer titles than the cart holds now.
      if (found.status === 'paid' && isTitle) throw alreadyOwned();
      if (isOpen(found) && (await isForOrder(services.db, found, order))) return true;
      if (found.status === 'capturing' && !isTitle) throw boughtElsewhere();
      return found.status === 'capturing';
    },
    releasedFor: 'price_changed',
    begin: () => begin(services.db, services.payment.provider, order),
    busy: boughtElsewhere,
  });

/** Takes back all purchases that a payment has paid for. */
export async function takeBackPurchases(trx: Database, { store_id: storeId, user_id: userId, id }: Transaction): Promise<void> {
  const purchases = await trx
    .selectFrom('purchases')
    .select(['id', 'title_id'])
    .where('store_id', '=', storeId)
    .where('transaction_id', '=', id)
    .execute();
  for (const purchase of purchases) await takeBack(trx, { storeId, userId, titleId: purchase.title_id ?? '' }, purchase.id);
}

const titles = {
  account: 'sales',
  gone: 'titles',
  receiptPath: (transactionId) => purchaseSuccessPath(transactionId),
  refusal: async (trx, transaction) => {
    const { store_id: storeId, user_id: userId } = transaction;
    const titleIds = (await linesOf(trx, transaction)).map(({ titleId }) => titleId);
    if (await ownsOneOf(trx, { storeId, userId }, titleIds)) return alreadyOwned();
    return (await beingCharged(trx, { storeId, userId, except: transaction.id }, titleIds)).length > 0
      ? boughtElsewhere()
      : undefined;
  },
  give: async (trx, transaction) => {
    const lines = await linesOf(trx, transaction);
    if (lines.length === 0) throw new Error(`The transaction ${transaction.id} buys something that cannot be granted yet.`);
    for (const { titleId, amountMinor, taxMinor = 0 } of lines)
      await grant(
        trx,
        randomUUID(),
        { storeId: transaction.store_id, userId: transaction.user_id, titleId },
        {
          kind: 'payment',
          transaction_id: transaction.id,
          amount_minor: amountMinor + taxMinor,
          tax_minor: taxMinor,
          currency: transaction.currency,
        },
      );
  },
  // The customer can read the titles until the money went back.
  withhold: async () => undefined,
  restore: async () => undefined,
  takeBack: takeBackPurchases,
  granted: async (db, { store_id: storeId, user_id: userId, id }) => {
    const copy = await purchasedCopy(db, storeId, userId, id);
    if (!copy?.instanceId) throw new Error(`The paid transaction ${id} granted nothing.`);
    return { titleId: copy.titleId, instanceId: copy.instanceId };
  },
} satisfies Omit<PurchaseKind, 'returnPath'>;

/** One title, for the customer. */
export const title: PurchaseKind = { ...titles, returnPath: ({ id }) => paymentReturnPath(id) };

/** All of a cart, for the customer. */
export const cart: PurchaseKind = { ...titles, returnPath: ({ id }) => withQuery('/cart/checkout', { transId: id }) };
