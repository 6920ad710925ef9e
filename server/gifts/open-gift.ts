import { countCall, limitOf, secondsOf } from '../accounts/caller-limits.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { DomainError, requireNoWait } from '../kernel/errors.ts';
import { isOn } from '../stores/store-property.ts';
import type { Database } from '../database/open.ts';
import type { TransactionStatus } from '../database/schema/payments.ts';
import type { LanguageCode } from '../base/language.ts';
import { openPayment } from '../payment/open-payment.ts';
import { boughtElsewhere, insertTransaction, release } from '../payment/open-transaction.ts';
import { isForOrder, type Order, titleOf } from '../payment/order.ts';
import type { PaymentServices } from '../payment/payment-services.ts';
import { reconcile } from '../payment/reconcile.ts';
import { requireSelling } from '../payment/require-selling.ts';
import { isOpen, type Transaction } from '../payment/transactions.ts';
import { type Gift, giveGift } from './give-gift.ts';
import { type NewGift, readGiftText } from './gift-info.ts';
import { requireFreeGift } from './free-gifts.ts';
import { requireNameWithoutLink } from './letter.ts';

/** Where the giver is in the shop: the letter leads back there. */
type From = { language: LanguageCode; origin: string };

type GiftOrder = Order & { kind: 'gift' };

/** Whose gift it is, and of what. */
type GiftOf = Pick<GiftOrder, 'storeId' | 'userId' | 'kind' | 'isCart' | 'lines'>;

/**
 * @throws DomainError conflict not_for_sale or gifting_off where the store has no gifts, conflict
 * giver_link for a giver whose name holds a link
 */
export async function requireGiving(db: Database, { storeId, userId }: { storeId: string; userId: string }): Promise<void> {
  await requireSelling(db, storeId);
  if (!(await isOn(db, storeId, 'EnableGiftingTitle')))
    throw new DomainError('conflict', 'This shop has no gifts.', { code: 'gifting_off' });
  await requireNameWithoutLink(db, storeId, userId);
}

/**
 * The gift that a customer's call is for.
 * @param giftInfo GiftInfo as JSON text
 * @throws DomainError conflict gifting_off, giver_link or gift_day, bad_request gift_info or
 * gift_link
 */
export async function readGiftFor(db: Database, giver: { storeId: string; userId: string }, giftInfo: string): Promise<NewGift> {
  await requireGiving(db, giver);
  return readGiftText(giftInfo);
}

const detailsOf = ({ name, email, message, deliverOn, dueAt }: NewGift, { language, origin }: From) => ({
  recipient_name: name,
  recipient_email: email,
  message,
  deliver_on: deliverOn,
  due_at: dueAt,
  language,
  origin,
});

/**
 * The customer's own gift of this id. @throws DomainError conflict where the id is another
 * customer's gift, or another title's
 */
async function ownGift(db: Database, order: GiftOf, id: string): Promise<Gift | undefined> {
  const { storeId, userId } = order;
  const gift = await db.selectFrom('gifts').selectAll().where('store_id', '=', storeId).where('id', '=', id).executeTakeFirst();
  if (gift && (gift.giver_id !== userId || gift.title_id !== titleOf(order)))
    throw new DomainError('conflict', 'This is another gift’s id.', { code: 'conflict' });
  return gift;
}

const transactionOf = (db: Database, { store_id, transaction_id: id }: Gift): Promise<Transaction | undefined> =>
  id === null
    ? Promise.resolve(undefined)
    : db.selectFrom('transactions').selectAll().where('store_id', '=', store_id).where('id', '=', id).executeTakeFirst();

/** What is given, or was, needs no other payment. */
const GIVEN: TransactionStatus[] = ['capturing', 'paid', 'refunding', 'refunded'];

/**
 * The one transaction that pays for a gift: the one that is there already, however often the call is sent, or a new one at the
 * price of today. Until it is paid, the gift says what was said last.
 * @throws DomainError too_many_requests after too many new gifts
 */
export const openGift = (services: PaymentServices, order: GiftOrder, gift: NewGift, from: From): Promise<Transaction> =>
  openPayment(services, {
    refuse: async () => undefined,
    find: async () => {
      const before = await ownGift(services.db, order, gift.id);
      return before && transactionOf(services.db, before);
    },
    isWanted: async (found) => {
      if (GIVEN.includes(found.status)) return true;
      if (!isOpen(found) || !(await isForOrder(services.db, found, order))) return false;
      await saySame(services.db, order, gift, from);
      return true;
    },
    releasedFor: 'price_changed',
    begin: (over) => begin(services, order, gift, from, over?.id ?? null),
    busy: boughtElsewhere,
  });

async function saySame(db: Database, { storeId, userId }: GiftOrder, gift: NewGift, from: From): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Whoever books the payment waits, or has given the gift before.
    await lockCustomer(trx, storeId, userId);
    await trx
      .updateTable('gifts')
      .set(detailsOf(gift, from))
      .where('store_id', '=', storeId)
      .where('id', '=', gift.id)
      .where('code', 'is', null)
      .execute();
  });
}

/**
 * Counts a gift that is begun, inside the transaction that writes it.
 * @throws DomainError too_many_requests
 */
async function countGift(trx: Database, { storeId, userId }: GiftOrder): Promise<void> {
  requireNoWait(secondsOf(await countCall(trx, storeId, [limitOf('gift', userId), limitOf('gift-day', userId)])));
}

/** @param over the gift's earlier transaction, which came to nothing. @returns undefined when another call began one in the same moment */
const begin = (
  { db, payment }: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  from: From,
  over: string | null,
): Promise<Transaction | undefined> =>
  db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const before = await ownGift(trx, order, gift.id);
    if (before && (before.transaction_id !== over || before.code !== null)) return undefined;
    if (!before) await countGift(trx, order);
    const made = await insertTransaction(trx, payment.provider, order);
    await keepGift(trx, order, gift, from, made.id);
    return made;
  });

async function keepGift(trx: Database, order: GiftOrder, gift: NewGift, from: From, transactionId: string | null): Promise<Gift> {
  const { storeId, userId } = order;
  const said = { ...detailsOf(gift, from), transaction_id: transactionId };
  return trx
    .insertInto('gifts')
    .values({
      ...said,
      store_id: storeId,
      id: gift.id,
      giver_id: userId,
      title_id: titleOf(order),
      code: null,
      written_at: null,
      sent_at: null,
      failed_at: null,
    })
    .onConflict((conflict) => conflict.columns(['store_id', 'id']).doUpdateSet(said))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the customer's gift of this id is given already. */
export const isGiven = async (db: Database, order: GiftOrder, giftId: string): Promise<boolean> =>
  ((await ownGift(db, order, giftId))?.code ?? null) !== null;

/** The payment of a gift that is given already, or is being charged: whatever has become of the cart, it is this one. */
export async function givenBefore(services: PaymentServices, order: GiftOf, giftId: string): Promise<Transaction | undefined> {
  const before = await ownGift(services.db, order, giftId);
  const found = before && (await transactionOf(services.db, before));
  const transaction = found && (await reconcile(services, found)).transaction;
  return transaction && GIVEN.includes(transaction.status) ? transaction : undefined;
}

/**
 * Gives a title for credits, once for a gift's id however often it is asked and whatever was begun for it with money before: that is
 * released first, or has paid for it.
 * @param pay takes the credits, inside the same database transaction
 * @throws DomainError conflict while money is being charged for it
 */
export async function giveForCredits(
  services: PaymentServices,
  order: GiftOrder,
  gift: NewGift,
  from: From,
  { credits, pay }: { credits: number; pay: (trx: Database) => Promise<void> },
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const before = await ownGift(services.db, order, gift.id);
    const found = before && (await transactionOf(services.db, before));
    const transaction = found && (await reconcile(services, found)).transaction;
    if (transaction && GIVEN.includes(transaction.status)) {
      if (transaction.status === 'capturing') throw boughtElsewhere();
      return;
    }
    if (transaction && isOpen(transaction)) {
      await release(services, transaction, 'credits');
      continue;
    }
    const isDone = await services.db.transaction().execute(async (trx) => {
      // Presses at the same time wait for each other here; the second finds the gift given.
      await lockCustomer(trx, order.storeId, order.userId);
      const now = await ownGift(trx, order, gift.id);
      if (now && now.code !== null) return true;
      if (now && now.transaction_id !== (transaction?.id ?? null)) return false;
      await pay(trx);
      const kept = await keepGift(trx, order, gift, from, null);
      await giveGift(trx, kept, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: null, credits });
      return true;
    });
    if (isDone) return;
  }
  throw boughtElsewhere();
}

/** Gives a free title to somebody, once however often it is asked. */
export async function giveFreeGift(
  db: Database,
  order: GiftOrder,
  gift: NewGift,
  { address, ...from }: From & { address: string },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockCustomer(trx, order.storeId, order.userId);
    const before = await ownGift(trx, order, gift.id);
    if (before && before.code !== null) return;
    await requireFreeGift(trx, { storeId: order.storeId, userId: order.userId, address }, gift.email);
    const kept = await keepGift(trx, order, gift, from, null);
    await giveGift(trx, kept, { transactionId: null, amountMinor: 0, taxMinor: 0, currency: order.currency });
  });
}
