import { randomUUID } from 'node:crypto';
import type { Database } from '../database/open.ts';
import type { TaxedPlace } from '../database/schema/payments.ts';
import type { AboutPayments } from '../database/schema/people.ts';
import { type LanguageCode, localizeText } from '../base/language.ts';
import { getPurchaseKind, type PurchaseKind, type PurchaseKinds } from './purchase-kind.ts';
import type { Transaction } from './transactions.ts';
import { shopNow } from '../base/clock/time.ts';

type Payment = Pick<Transaction, 'store_id' | 'id'>;

/**
 * Stores the language and origin of the purchase with the transaction: the receipt is composed
 * after the payment, perhaps by the sweep.
 */
export async function setReceiptOrigin(
  db: Database,
  { store_id: storeId, id }: Payment,
  where: { language: LanguageCode; origin: string },
): Promise<void> {
  await db.updateTable('transactions').set(where).where('store_id', '=', storeId).where('id', '=', id).execute();
}

/**
 * Queues a receipt or a refund e-mail, in the caller's database transaction that books it. Its text
 * is composed when it is sent.
 */
export async function enqueuePaymentEmail(
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
  // An imported subscription has neither.
  if (!paid || paid.language === null || paid.origin === null) return;
  const { language, origin } = paid;
  const queuedEmail = {
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
    .values(queuedEmail)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The data of a receipt or a refund e-mail. Amounts are in the smallest unit of the currency. */
export type PaymentEmailData = {
  to: string;
  /** path that the e-mail links to */
  path: string;
  gone: PurchaseKind['gone'];
  currency: string;
  amountMinor: number;
  /** included taxes, by rate */
  taxes: TaxedPlace['rates'];
  paidAt: Date;
  refundedMinor: number;
  /** The time of the last refund. */
  changedAt: Date;
  /** The recipient has opened the gift, and keeps it. */
  isOpened: boolean;
  /** The subscription has ended. */
  isEnded: boolean;
  /** net amounts */
  lines: { name: string; amountMinor: number }[];
};

/** Reads the data of a payment e-mail; undefined if the customer has no e-mail address any more. */
export async function readPaymentEmailData(
  { db, kinds }: { db: Database; kinds: PurchaseKinds },
  storeId: string,
  transactionId: string,
  language: LanguageCode,
): Promise<PaymentEmailData | undefined> {
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
  } = getPurchaseKind(kinds, { id: transactionId, kind: paid.kind });
  // Payments of a subscription are refunded one by one.
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
  const plan = name === null ? undefined : localizeText({ name, translations: translations ?? {} }, 'name', { language });
  const lines = plan === undefined ? titles : [{ name: plan, amountMinor }];
  const paidAt = titles[0]?.paidAt ?? paid.updated_at;
  const isEnded = isSubscription && paid.ended_at !== null;
  const [taxes, isOpened] = [paid.tax?.rates ?? [], paid.redeemed_at !== null];
  const path = receiptPath(transactionId);
  return { to, path, gone, currency, amountMinor, taxes, paidAt, refundedMinor, changedAt, isOpened, isEnded, lines };
}
