import { countCall, getLimit, getWaitSeconds } from '../accounts/caller-limits.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError, requireNoWait } from '../kernel/errors.ts';
import { isPropertyOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';
import type { TransactionStatus } from '../database/schema/payments.ts';
import type { LanguageCode } from '../base/language.ts';
import { getOrStartPayment } from '../payment/open-payment.ts';
import { boughtElsewhere, insertTransaction, releaseTransaction } from '../payment/open-transaction.ts';
import { isForOrder, type Order, getSingleTitleId } from '../payment/order.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile } from '../payment/reconcile.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { isOpen, type Transaction } from '../payment/transactions.ts';
import { type Gift, giveGift } from './give-gift.ts';
import { type NewGift, readGiftText } from './gift-info.ts';
import { requireFreeGift } from './free-gifts.ts';
import { requireNameWithoutLink } from './gift-email.ts';

/** The giver's language and origin, for the link in the e-mail. */
type GiverOrigin = { language: LanguageCode; origin: string };

type GiftOrder = Order & { kind: 'gift' };

/** The giver and the content of a gift. */
type GiftScope = Pick<GiftOrder, 'storeId' | 'userId' | 'kind' | 'isCart' | 'lines'>;

/**
 * @throws DomainError conflict not_for_sale or gifting_off if the store has no gifts, conflict
 * giver_link if the giver's name contains a link
 */
export async function requireGiving(db: Database, { storeId, userId }: { storeId: string; userId: string }): Promise<void> {
  await requireSelling(db, storeId);
  if (!(await isPropertyOn(db, storeId, 'EnableGiftingTitle')))
    throw new DomainError('conflict', 'This shop doesn’t offer gifts.', { code: 'gifting_off' });
  await requireNameWithoutLink(db, storeId, userId);
}

/**
 * Reads the gift of a request.
 * @param giftInfo GiftInfo as JSON text
 * @throws DomainError conflict gifting_off, giver_link or gift_day, bad_request gift_info or
 * gift_link
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
 * The customer's gift with this id.
 * @throws DomainError conflict if the id belongs to another customer's gift, or to another title's
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

/** Statuses in which a gift needs no other payment. */
const GIVEN_STATUSES: TransactionStatus[] = ['capturing', 'paid', 'refunding', 'refunded'];

/**
 * Returns or creates the only transaction of a gift, at the current price; idempotent. Until it is
 * paid, the latest request determines the gift's details.
 * @throws DomainError too_many_requests after too many new gifts
 */
export const openGift = (services: PaymentServices, order: GiftOrder, gift: NewGift, from: GiverOrigin): Promise<Transaction> =>
  getOrStartPayment(services, {
    refuse: async () => undefined,
    find: async () => {
      const before = await findOwnGift(services.db, order, gift.id);
      return before && findGiftTransaction(services.db, before);
    },
    isWanted: async (found) => {
      if (GIVEN_STATUSES.includes(found.status)) return true;
      if (!isOpen(found) || !(await isForOrder(services.db, found, order))) return false;
      await updateGiftDetails(services.db, order, gift, from);
      return true;
    },
    releasedFor: 'price_changed',
    begin: (over) => insertGiftTransaction(services, order, gift, from, over?.id ?? null),
    busy: boughtElsewhere,
  });

async function updateGiftDetails(db: Database, { storeId, userId }: GiftOrder, gift: NewGift, from: GiverOrigin): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Serialises with the booking of the payment, after which `code` is set and nothing is changed.
    await lockCustomer(trx, storeId, userId);
    await trx
      .updateTable('gifts')
      .set(toGiftColumns(gift, from))
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
 * @param over id of the gift's earlier transaction, which ended unpaid
 * @returns undefined if a concurrent call created one first
 */
const insertGiftTransaction = (
  { db, payment }: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  from: GiverOrigin,
  over: string | null,
): Promise<Transaction | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const before = await findOwnGift(trx, order, gift.id);
    if (before && (before.transaction_id !== over || before.code !== null)) return undefined;
    if (!before) await countGift(trx, order);
    const made = await insertTransaction(trx, payment.provider, order);
    await upsertGift(trx, order, gift, from, made.id);
    return made;
  });

async function upsertGift(
  trx: Database,
  order: GiftOrder,
  gift: NewGift,
  from: GiverOrigin,
  transactionId: string | null,
): Promise<Gift> {
  const { storeId, userId } = order;
  const said = { ...toGiftColumns(gift, from), transaction_id: transactionId };
  return trx
    .insertInto('gifts')
    .values({
      ...said,
      store_id: storeId,
      id: gift.id,
      giver_id: userId,
      title_id: getSingleTitleId(order),
      code: null,
      written_at: null,
      sent_at: null,
      failed_at: null,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'id']).doUpdateSet(said))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the customer's gift with this id has been given. */
export const isGiven = async (db: Database, order: GiftOrder, giftId: string): Promise<boolean> =>
  ((await findOwnGift(db, order, giftId))?.code ?? null) !== null;

/**
 * The payment of a gift that is given or being captured; its titles may have left the cart since.
 */
export async function findGivenPayment(
  services: PaymentServices,
  order: GiftScope,
  giftId: string,
): Promise<Transaction | undefined> {
  const before = await findOwnGift(services.db, order, giftId);
  const found = before && (await findGiftTransaction(services.db, before));
  const transaction = found && (await reconcile(services, found)).transaction;
  return transaction && GIVEN_STATUSES.includes(transaction.status) ? transaction : undefined;
}

/**
 * Gives a title for credits, once for each gift id. An open payment with money for the same gift is
 * released first, unless it has paid for the gift.
 * @param pay spends the credits, in the same database transaction
 * @throws DomainError conflict while money is being captured for it
 */
export async function giveForCredits(
  services: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  from: GiverOrigin,
  { credits, pay }: { credits: number; pay: (trx: Database) => Promise<void> },
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await findOwnGift(services.db, order, gift.id);
    const found = before && (await findGiftTransaction(services.db, before));
    const transaction = found && (await reconcile(services, found)).transaction;
    if (transaction && GIVEN_STATUSES.includes(transaction.status)) {
      if (transaction.status === 'capturing') throw boughtElsewhere();
      return;
    }
    if (transaction && isOpen(transaction)) {
      await releaseTransaction(services, transaction, 'credits');
      continue;
    }
    const isDone = await services.db.transaction().execute(async (trx) => {
      // Concurrent requests wait for the lock; the second one finds the gift given.
      await lockCustomer(trx, order.storeId, order.userId);
      const now = await findOwnGift(trx, order, gift.id);
      if (now && now.code !== null) return true;
      if (now && now.transaction_id !== (transaction?.id ?? null)) return false;
      await pay(trx);
      const kept = await upsertGift(trx, order, gift, from, null);
      await giveGift(trx, kept, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: null, credits });
      return true;
    });
    if (isDone) return;
  }
  throw boughtElsewhere();
}

/** Gives a free title, once for each gift id. */
export async function giveFreeGift(
  db: Database,
  order: GiftOrder,
  gift: NewGift,
  { address, ...from }: GiverOrigin & { address: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const before = await findOwnGift(trx, order, gift.id);
    if (before && before.code !== null) return;
    await requireFreeGift(trx, { storeId: order.storeId, userId: order.userId, address }, gift.email);
    const kept = await upsertGift(trx, order, gift, from, null);
    await giveGift(trx, kept, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: order.currency });
  });
}
