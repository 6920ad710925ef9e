import { randomUUID } from 'node:crypto';
import { withQuery } from '../../../machines/model/paths.ts';
import { paymentReturnPath, purchaseSuccessPath } from '../../../machines/model/purchase-paths.ts';
import { type Database, isUniqueViolation } from '../../database/open.ts';
import { grantTitle, findOwnedCopy, revokeTitle } from '../../entitlements/ownership.ts';
import { findTitlesBeingCharged } from '../../payment/pending-charges.ts';
import { getOrStartPayment } from '../../payment/open-payment.ts';
import { alreadyOwnedError, boughtElsewhereError, insertTransaction } from '../../payment/open-transaction.ts';
import { isForOrder, readLines, type Order, getSingleTitleId } from '../../payment/order.ts';
import type { PaymentServices } from '../../payment/payment-services.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import { findPurchasedCopy } from '../purchased-copy.ts';
import { isOpen, OPEN_STATUSES, type Transaction } from '../../payment/transactions.ts';

async function ownsOneOf(
  db: Database,
  owner: { storeId: string; userId: string },
  titleIds: readonly string[],
): Promise<boolean> {
  for (const titleId of titleIds) if (await findOwnedCopy(db, { ...owner, titleId })) return true;
  return false;
}

async function assertNotOwned(db: Database, { storeId, userId, lines }: Order): Promise<void> {
  const titleIds = lines.map(({ titleId }) => titleId);
  if (await ownsOneOf(db, { storeId, userId }, titleIds)) throw alreadyOwnedError();
}

const findOpenTransaction = (db: Database, order: Order): Promise<Transaction | undefined> =>
  db
    .selectFrom('transactions')
    .selectAll()
    .where('store_id', '=', order.storeId)
    .where('user_id', '=', order.userId)
    .where('title_id', 'is not distinct from', getSingleTitleId(order))
    .where('kind', '=', order.kind)
    .where('status', 'in', OPEN_STATUSES)
    .executeTakeFirst();

async function insertOrderTransaction(db: Database, provider: string, order: Order): Promise<Transaction | undefined> {
  try {
    return await db.transaction().execute(async (trx) => {
      const insertedTransaction = await insertTransaction(trx, provider, order);
      // Checked again while the insert excludes another open transaction: another transaction may
      // have been paid in between.
      await assertNotOwned(trx, order);
      return insertedTransaction;
    });
  } catch (error) {
    if (isUniqueViolation(error, 'transactions_one_open') || isUniqueViolation(error, 'transactions_one_cart')) return undefined;
    throw error;
  }
}

/**
 * Returns or creates the customer's only open transaction for a title, or for their cart.
 * @throws DomainError conflict already_owned; conflict conflict if another window is paying for the
 * cart, or concurrent calls keep starting another payment; PaymentUnknown
 */
export const openTitlesPayment = (services: PaymentServices, order: Order & { kind: 'title' | 'cart' }): Promise<Transaction> =>
  getOrStartPayment(services, {
    assertPurchasable: () => assertNotOwned(services.db, order),
    find: () => findOpenTransaction(services.db, order),
    isReusable: async (transaction) => {
      const isTitle = order.kind === 'title';
      // A paid cart may have had fewer titles than the cart has now.
      if (transaction.status === 'paid' && isTitle) throw alreadyOwnedError();
      if (isOpen(transaction) && (await isForOrder(services.db, transaction, order))) return true;
      if (transaction.status === 'capturing' && !isTitle) throw boughtElsewhereError();
      return transaction.status === 'capturing';
    },
    releaseReason: 'price_changed',
    create: () => insertOrderTransaction(services.db, services.payment.provider, order),
    createBusyError: boughtElsewhereError,
  });

/** Revokes all purchases of a payment. */
export async function revokePurchases(trx: Database, { store_id: storeId, user_id: userId, id }: Transaction): Promise<void> {
  const purchases = await trx
    .selectFrom('purchases')
    .select(['id', 'title_id'])
    .where('store_id', '=', storeId)
    .where('transaction_id', '=', id)
    .execute();
  for (const purchase of purchases) await revokeTitle(trx, { storeId, userId, titleId: purchase.title_id ?? '' }, purchase.id);
}

/** The common part of the kinds `title` and `cart`. */
const titlePurchase = {
  account: 'sales',
  lossKind: 'titles',
  receiptPath: (transactionId) => purchaseSuccessPath(transactionId),
  findRefusal: async (trx, transaction) => {
    const { store_id: storeId, user_id: userId } = transaction;
    const titleIds = (await readLines(trx, transaction)).map(({ titleId }) => titleId);
    if (await ownsOneOf(trx, { storeId, userId }, titleIds)) return alreadyOwnedError();
    return (await findTitlesBeingCharged(trx, { storeId, userId, except: transaction.id }, titleIds)).length > 0
      ? boughtElsewhereError()
      : undefined;
  },
  grant: async (trx, transaction) => {
    const lines = await readLines(trx, transaction);
    if (lines.length === 0) throw new Error(`Transaction ${transaction.id} has nothing to grant: it has no order lines.`);
    for (const { titleId, amountMinor, taxMinor = 0 } of lines)
      await grantTitle(
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
  // The titles stay readable until the refund is complete.
  withhold: async () => undefined,
  restore: async () => undefined,
  revoke: revokePurchases,
  findGrantedTitle: async (db, { store_id: storeId, user_id: userId, id }) => {
    const copy = await findPurchasedCopy(db, storeId, userId, id);
    if (!copy?.instanceId) throw new Error(`Paid transaction ${id} has granted no copy.`);
    return { titleId: copy.titleId, instanceId: copy.instanceId };
  },
} satisfies Omit<PurchaseKind, 'returnPath'>;

/** A single title for the customer. */
export const title: PurchaseKind = { ...titlePurchase, returnPath: ({ id }) => paymentReturnPath(id) };

/** A whole cart for the customer. */
export const cart: PurchaseKind = { ...titlePurchase, returnPath: ({ id }) => withQuery('/cart/checkout', { transId: id }) };
