import { randomUUID } from 'node:crypto';
import type { Database } from '../database/open.ts';
import type { TaxedPlace } from '../database/schema/payments.ts';
import type { AboutPayments } from '../database/schema/people.ts';
import { type LanguageCode, textIn } from '../base/language.ts';
import { kindOf, type PurchaseKind, type PurchaseKinds } from './purchase-kind.ts';
import type { Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

type Payment = Pick<Transaction, 'store_id' | 'id'>;

/** Keeps in which language, and where in the shop, the customer pays: the receipt is written once it is paid, perhaps by the sweep. */
export async function addressReceipt(
  db: Database,
  { store_id: storeId, id }: Payment,
  where: { language: LanguageCode; origin: string },
): Promise<void> {
  await db.updateTable('transactions').set(where).where('store_id', '=', storeId).where('id', '=', id).execute();
}

/**
 * Puts the receipt, or the letter that tells of a refund, into the queue of letters, inside the caller's transaction in which it is
 * booked. One that waits there says what holds when it is sent.
 */
export async function queueLetter(
  trx: Database,
  { store_id: storeId, id }: Payment,
  { kind }: { kind: AboutPayments },
  renewal = 0,
): Promise<void> {
  const paid = await trx
    .selectFrom('transactions')
    .select(['language', 'origin'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  // A subscription that was brought from elsewhere has none.
  if (!paid || paid.language === null || paid.origin === null) return;
  const { language, origin } = paid;
  const letter = {
    id: randomUUID(),
    store_id: storeId,
    kind,
    email: '',
    language,
    origin,
    transaction_id: id,
    renewal,
  };
  await trx
    .insertInto('letters')
    .values(letter)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** What a receipt says, and the letter of a refund. Amounts are in the smallest unit of the currency. */
export type PaidFor = {
  to: string;
  /** the page to which it leads */
  path: string;
  gone: PurchaseKind['gone'];
  currency: string;
  amountMinor: number;
  /** what of it is tax, by rates */
  taxes: TaxedPlace['rates'];
  paidAt: Date;
  refundedMinor: number;
  /** When something went back last. */
  changedAt: Date;
  /** Somebody has opened the gift that it paid for, and keeps it. */
  isOpened: boolean;
  /** The subscription that it began has ended. */
  isEnded: boolean;
  /** without tax */
  lines: { name: string; amountMinor: number }[];
};

/** What was paid for, and whose address it goes to; undefined where there is nobody to write to any more. */
export async function paidFor(
  { db, kinds }: { db: Database; kinds: PurchaseKinds },
  storeId: string,
  transactionId: string,
  language: LanguageCode,
): Promise<PaidFor | undefined> {
  const paid = await db
    .selectFrom('transactions')
    .innerJoin('users', (join) =>
      join.onRef('users.store_id', '=', 'transactions.store_id').onRef('users.id', '=', 'transactions.user_id'),
    )
    .leftJoin('plans', (join) =>
      join.onRef('plans.store_id', '=', 'transactions.store_id').onRef('plans.id', '=', 'transactions.plan_id'),
    )
    .select([
      'users.email',
      'plans.name',
      'plans.translations',
      'transactions.kind',
      'transactions.currency',
      'transactions.amount_minor',
      'transactions.tax',
    ])
    .leftJoin('gifts', (join) =>
      join.onRef('gifts.store_id', '=', 'transactions.store_id').onRef('gifts.transaction_id', '=', 'transactions.id'),
    )
    .leftJoin('redemptions', (join) =>
      join.onRef('redemptions.store_id', '=', 'gifts.store_id').onRef('redemptions.code', '=', 'gifts.code'),
    )
    .leftJoin('subscriptions', (join) =>
      join.onRef('subscriptions.store_id', '=', 'transactions.store_id').onRef('subscriptions.id', '=', 'transactions.id'),
    )
    .select(['transactions.updated_at', 'transactions.refunded_minor', 'redemptions.redeemed_at'])
    .select(['subscriptions.refunded_minor as subscription_refunded', 'subscriptions.ended_at'])
    .where('transactions.store_id', '=', storeId)
    .where('transactions.id', '=', transactionId)
    .where('users.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!paid || paid.email === '') return undefined;
  const { email: to, currency, amount_minor: amountMinor } = paid;
  const {
    gone,
    receiptPath,
    isRefundedBySubscription: isSubscription = false,
  } = kindOf(kinds, { id: transactionId, kind: paid.kind });
  // Of a subscription the payments go back one by one.
  const refundedMinor = Number(isSubscription ? (paid.subscription_refunded ?? 0) : paid.refunded_minor);
  const changedAt = isSubscription && refundedMinor > 0 ? (paid.ended_at ?? shopNow()) : paid.updated_at;
  const titles = await db
    .selectFrom('purchases')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'purchases.store_id').onRef('titles.id', '=', 'purchases.title_id'),
    )
    .select(['titles.name', 'purchases.purchased_at as paidAt'])
    .select((eb) => eb('purchases.amount_minor', '-', eb.ref('purchases.tax_minor')).as('amountMinor'))
    .where('purchases.store_id', '=', storeId)
    .where('purchases.transaction_id', '=', transactionId)
    .orderBy('titles.sort_name')
    .execute();
  const { name, translations } = paid;
  const plan = name === null ? undefined : textIn({ name, translations: translations ?? {} }, 'name', { language });
  const lines = plan === undefined ? titles : [{ name: plan, amountMinor }];
  const paidAt = titles[0]?.paidAt ?? paid.updated_at;
  const isEnded = isSubscription && paid.ended_at !== null;
  const [taxes, isOpened] = [paid.tax?.rates ?? [], paid.redeemed_at !== null];
  const path = receiptPath(transactionId);
  return { to, path, gone, currency, amountMinor, taxes, paidAt, refundedMinor, changedAt, isOpened, isEnded, lines };
}
