import { randomUUID } from 'node:crypto';
import type { Database } from '../database/open.ts';
import type { TaxLocation } from '../database/schema/payments.ts';
import type { PaymentEmailKind } from '../database/schema/people.ts';
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
  receiptOrigin: { language: LanguageCode; origin: string },
): Promise<void> {
  await db.updateTable('transactions').set(receiptOrigin).where('store_id', '=', storeId).where('id', '=', id).execute();
}

/**
 * Queues an e-mail about a payment, in the caller's database transaction that books the payment or
 * refund. Its text is composed when it is sent.
 * @param renewal number of a subscription's renewal, plan change or refund; else 0
 */
export async function enqueuePaymentEmail(
  trx: Database,
  { store_id: storeId, id }: Payment,
  { kind }: { kind: PaymentEmailKind },
  renewal = 0,
): Promise<void> {
  const transaction = await trx
    .selectFrom('transactions')
    .select(['language', 'origin'])
    .where('store_id', '=', storeId)
    .where('id', '=', id)
    .executeTakeFirst();
  // The transaction of an imported subscription has no language and no origin.
  if (!transaction || transaction.language === null || transaction.origin === null) return;
  const { language, origin } = transaction;
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
  lossKind: PurchaseKind['lossKind'];
  currency: string;
  amountMinor: number;
  /** included taxes, by rate */
  taxes: TaxLocation['rates'];
  paidAt: Date;
  refundedMinor: number;
  /** time of the last refund or other change; of a refunded subscription, its end */
  changedAt: Date;
  /** the recipient has opened the gift, and keeps it */
  isOpened: boolean;
  /** the subscription has ended */
  isEnded: boolean;
  /** titles or the plan, with net amounts */
  lines: { name: string; amountMinor: number }[];
};

/** Reads the data of a payment e-mail; undefined if the customer has no e-mail address any more. */
export async function readPaymentEmailData(
  { db, kinds }: { db: Database; kinds: PurchaseKinds },
  storeId: string,
  transactionId: string,
  language: LanguageCode,
): Promise<PaymentEmailData | undefined> {
  const row = await db
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
  if (!row || row.email === '') return undefined;
  const { email: to, currency, amount_minor: amountMinor } = row;
  const {
    lossKind,
    receiptPath,
    isRefundedBySubscription: isSubscription = false,
  } = getPurchaseKind(kinds, { id: transactionId, kind: row.kind });
  // Each payment of a subscription is refunded separately: the subscription has their total.
  const refundedMinor = Number(isSubscription ? (row.subscription_refunded ?? 0) : row.refunded_minor);
  const changedAt = isSubscription && refundedMinor > 0 ? (row.ended_at ?? shopNow()) : row.updated_at;
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
  const { name, translations } = row;
  const planName = name === null ? undefined : localizeText({ name, translations: translations ?? {} }, 'name', { language });
  const lines = planName === undefined ? titles : [{ name: planName, amountMinor }];
  const paidAt = titles[0]?.paidAt ?? row.updated_at;
  const isEnded = isSubscription && row.ended_at !== null;
  const [taxes, isOpened] = [row.tax?.rates ?? [], row.redeemed_at !== null];
  const path = receiptPath(transactionId);
  return { to, path, lossKind, currency, amountMinor, taxes, paidAt, refundedMinor, changedAt, isOpened, isEnded, lines };
}
