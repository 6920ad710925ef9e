import { countCall, getLimit, getWaitSeconds } from '../accounts/caller-limits.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError, requireNoWait } from '../kernel/errors.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';
import type { TransactionStatus } from '../database/schema/payments.ts';
import type { LanguageCode } from '../base/language.ts';
import { getOrStartPayment } from '../payment/open-payment.ts';
import { boughtElsewhereError, insertTransaction, releaseTransaction } from '../payment/open-transaction.ts';
import { isForOrder, type Order, getSingleTitleId } from '../payment/order.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile } from '../payment/reconcile.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { isOpen, type Transaction } from '../payment/transactions.ts';
import { type Gift, giveGift } from './give-gift.ts';
import { type NewGift, readGiftText } from './gift-info.ts';
import { requireFreeGift } from './free-gifts.ts';
import { requireNameWithoutLink } from './gift-email.ts';

/** The giver's language and the shop's origin, for the e-mail and its link. */
type GiverOrigin = { language: LanguageCode; origin: string };

type GiftOrder = Order & { kind: 'gift' };

/** The giver and the content of a gift. */
type GiftScope = Pick<GiftOrder, 'storeId' | 'userId' | 'kind' | 'isCart' | 'lines'>;

/**
 * Checks that the customer may give gifts.
 * @throws DomainError conflict not_for_sale or gifting_off if the store sells no gifts, conflict
 * giver_link if the giver's name contains a link
 */
export async function requireGiving(db: Database, { storeId, userId }: { storeId: string; userId: string }): Promise<void> {
  await requireSelling(db, storeId);
  if (!(await isPropertyOn(db, storeId, 'EnableGiftingTitle')))
    throw new DomainError('conflict', 'This shop doesn’t offer gifts.', { code: 'gifting_off' });
  await requireNameWithoutLink(db, storeId, userId);
}

/**
 * Validates the gift of a request.
 * @param giftInfo GiftInfo as JSON text
 * @throws DomainError conflict not_for_sale, gifting_off, giver_link or gift_day; bad_request
 * gift_info or gift_link
 */
export async function readGiftFor(db: Database, giver: { storeId: string; userId: string }, giftInfo: string): Promise<NewGift> {
  await requireGiving(db, giver);
  return readGiftText(giftInfo);
}

const toGiftColumns = ({ name, email, message, deliverOn, dueAt }: NewGift, { language, origin }: GiverOrigin) => ({
  recipient_name: name,
  recipient_email: email,
  message,
  deliver_on: deliverOn,
  due_at: dueAt,
  language,
  origin,
});

/**
 * Finds the customer's gift with this id.
 * @throws DomainError conflict conflict if the id belongs to another customer's gift, or to another
 * title's
 */
async function findOwnGift(db: Database, order: GiftScope, id: string): Promise<Gift | undefined> {
  const { storeId, userId } = order;
  const gift = await db.selectFrom('gifts').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();
  if (gift && (gift.giver_id !== userId || gift.title_id !== getSingleTitleId(order)))
    throw new DomainError('conflict', `GiftId ${id} belongs to another gift.`, { code: 'conflict' });
  return gift;
}

const findGiftTransaction = (db: Database, { store_id, transaction_id: id }: Gift): Promise<Transaction | undefined> =>
  id === null
    ? Promise.resolve(undefined)
    : db.selectFrom('transactions').selectAll().where('store_id', '=', store_id).where('id', '=', id).executeTakeFirst();

/** Statuses of a gift's payment after which it needs no other payment. */
const CONFIRMED_STATUSES: TransactionStatus[] = ['capturing', 'paid', 'refunding', 'refunded'];

/**
 * Returns or creates the only transaction of a gift, at the current price; idempotent. Until the
 * customer confirms the payment, the latest request determines the gift's details.
 * @throws DomainError too_many_requests after too many new gifts; conflict conflict if the gift's
 * id belongs to another gift, or concurrent calls keep starting another payment; PaymentUnknown
 */
export const openGift = (
  services: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  giverOrigin: GiverOrigin,
): Promise<Transaction> =>
  getOrStartPayment(services, {
    assertPurchasable: async () => undefined,
    find: async () => {
      const storedGift = await findOwnGift(services.db, order, gift.id);
      return storedGift && findGiftTransaction(services.db, storedGift);
    },
    isReusable: async (transaction) => {
      if (CONFIRMED_STATUSES.includes(transaction.status)) return true;
      if (!isOpen(transaction) || !(await isForOrder(services.db, transaction, order))) return false;
      await updateGiftDetails(services.db, order, gift, giverOrigin);
      return true;
    },
    releaseReason: 'price_changed',
    create: (endedPayment) => insertGiftTransaction(services, order, gift, giverOrigin, endedPayment?.id ?? null),
    createBusyError: boughtElsewhereError,
  });

async function updateGiftDetails(
  db: Database,
  { storeId, userId }: GiftOrder,
  gift: NewGift,
  giverOrigin: GiverOrigin,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Serialises with the booking of the payment, after which `code` is set and nothing is changed.
    await lockCustomer(trx, storeId, userId);
    await trx
      .updateTable('gifts')
      .set(toGiftColumns(gift, giverOrigin))
      .where('store_id', '=', storeId)
      .where('id', '=', gift.id)
      .where('code', 'is', null)
      .execute();
  });
}

/**
 * Counts a new gift for the rate limit, in the database transaction that inserts it.
 * @throws DomainError too_many_requests
 */
async function countGift(trx: Database, { storeId, userId }: GiftOrder): Promise<void> {
  requireNoWait(getWaitSeconds(await countCall(trx, storeId, [getLimit('gift', userId), getLimit('gift-day', userId)])));
}

/**
 * Inserts a transaction for a gift, and stores the gift's details.
 * @param endedTransactionId id of the gift's earlier transaction, which ended unpaid
 * @returns undefined if a concurrent call inserted a transaction first
 */
const insertGiftTransaction = (
  { db, payment }: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  giverOrigin: GiverOrigin,
  endedTransactionId: string | null,
): Promise<Transaction | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const storedGift = await findOwnGift(trx, order, gift.id);
    if (storedGift && (storedGift.transaction_id !== endedTransactionId || storedGift.code !== null)) return undefined;
    if (!storedGift) await countGift(trx, order);
    const transaction = await insertTransaction(trx, payment.provider, order);
    await upsertGift(trx, order, gift, giverOrigin, transaction.id);
    return transaction;
  });

async function upsertGift(
  trx: Database,
  order: GiftOrder,
  gift: NewGift,
  giverOrigin: GiverOrigin,
  transactionId: string | null,
): Promise<Gift> {
  const { storeId, userId } = order;
  const columns = { ...toGiftColumns(gift, giverOrigin), transaction_id: transactionId };
  return trx
    .insertInto('gifts')
    .values({
      ...columns,
      store_id: storeId,
      id: gift.id,
      giver_id: userId,
      title_id: getSingleTitleId(order),
      code: null,
      written_at: null,
      sent_at: null,
      failed_at: null,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'id']).doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the customer's gift with this id has been given. */
export const isGiftGiven = async (db: Database, order: GiftOrder, giftId: string): Promise<boolean> =>
  ((await findOwnGift(db, order, giftId))?.code ?? null) !== null;

/**
 * Finds the payment of a gift that is paid, being captured or refunded; the gift's titles may have
 * left the cart since.
 * @throws DomainError conflict conflict if the id belongs to another gift; PaymentUnknown
 */
export async function findGivenPayment(
  services: PaymentServices,
  order: GiftScope,
  giftId: string,
): Promise<Transaction | undefined> {
  const storedGift = await findOwnGift(services.db, order, giftId);
  const storedTransaction = storedGift && (await findGiftTransaction(services.db, storedGift));
  const transaction = storedTransaction && (await reconcile(services, storedTransaction)).transaction;
  return transaction && CONFIRMED_STATUSES.includes(transaction.status) ? transaction : undefined;
}

/**
 * Gives a title for credits, once for each gift id. An open payment of the same gift with money is
 * released first; a gift that is already paid with money is not paid again.
 * @param options.credits the price
 * @param options.pay spends the credits, in the same database transaction
 * @throws DomainError conflict conflict while money is being captured for the gift, if its id
 * belongs to another gift, or if concurrent calls keep changing it; the errors of `pay`;
 * PaymentUnknown
 */
export async function giveForCredits(
  services: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  giverOrigin: GiverOrigin,
  { credits, pay }: { credits: number; pay: (trx: Database) => Promise<void> },
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const storedGift = await findOwnGift(services.db, order, gift.id);
    const storedTransaction = storedGift && (await findGiftTransaction(services.db, storedGift));
    const transaction = storedTransaction && (await reconcile(services, storedTransaction)).transaction;
    if (transaction && CONFIRMED_STATUSES.includes(transaction.status)) {
      if (transaction.status === 'capturing') throw boughtElsewhereError();
      return;
    }
    if (transaction && isOpen(transaction)) {
      await releaseTransaction(services, transaction, 'credits');
      continue;
    }
    const isDone = await services.db.transaction().execute(async (trx) => {
      // Concurrent requests wait for the lock; the second one finds the gift given.
      await lockCustomer(trx, order.storeId, order.userId);
      const currentGift = await findOwnGift(trx, order, gift.id);
      if (currentGift && currentGift.code !== null) return true;
      if (currentGift && currentGift.transaction_id !== (transaction?.id ?? null)) return false;
      await pay(trx);
      const givenGift = await upsertGift(trx, order, gift, giverOrigin, null);
      await giveGift(trx, givenGift, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: null, credits });
      return true;
    });
    if (isDone) return;
  }
  throw boughtElsewhereError();
}

/**
 * Gives a free title, once for each gift id.
 * @throws DomainError too_many_requests free_gifts_used; conflict conflict if the id belongs to
 * another gift
 */
export async function giveFreeGift(
  db: Database,
  order: GiftOrder,
  gift: NewGift,
  { address, ...giverOrigin }: GiverOrigin & { address: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const storedGift = await findOwnGift(trx, order, gift.id);
    if (storedGift && storedGift.code !== null) return;
    await requireFreeGift(trx, { storeId: order.storeId, userId: order.userId, address }, gift.email);
    const givenGift = await upsertGift(trx, order, gift, giverOrigin, null);
    await giveGift(trx, givenGift, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: order.currency });
  });
}
