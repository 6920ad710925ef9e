import { sql } from 'kysely';
import type { Database } from '../database/open.ts';
import { shopNow } from '../base/clock/time.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Age in ms below which a refund counts as recent. */
const RECENT_FOR_MS = 30 * DAY_MS;
/** Maximum number of listed orders. */
const MAX_REFUNDS = 100;

/** The refunded titles of an order; `amountMinor` is in the smallest unit of the currency. */
export type ListedRefund = {
  transId: string;
  purchasedAt: Date;
  refundedAt: Date;
  isRecent: boolean;
  /** the first of these titles by sort name; `name` is the title's name */
  titleId: string;
  name: string;
  /** number of these titles */
  titles: number;
  amountMinor: number;
  currency: string | null;
  credits: number | null;
};

/**
 * Returns the customer's latest refunded orders, the latest refund first; gifts are left out, as
 * they were never in the giver's library.
 */
export async function listRefunds(
  db: Database,
  { storeId, userId }: { storeId: string; userId: string },
  now = shopNow(),
): Promise<ListedRefund[]> {
  const orderId = sql<string>`coalesce(purchases.transaction_id, purchases.id)`;
  const rows = await db
    .selectFrom('purchases')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'purchases.store_id').onRef('titles.id', '=', 'purchases.title_id'),
    )
    .select(orderId.as('transId'))
    .select((eb) => [
      sql<string>`(array_agg(titles.name order by titles.sort_name, titles.id))[1]`.as('name'),
      sql<string>`(array_agg(titles.id order by titles.sort_name, titles.id))[1]`.as('titleId'),
      sql<Date>`min(purchases.purchased_at)`.as('purchasedAt'),
      sql<Date>`max(purchases.refunded_at)`.as('refundedAt'),
      eb.fn.countAll<number | string>().as('titles'),
      eb.fn.sum<number | string>('purchases.amount_minor').as('amountMinor'),
      eb.fn.max('purchases.currency').as('currency'),
      eb.fn.max('purchases.credits').as('credits'),
    ])
    .where('purchases.store_id', '=', storeId)
    .where('purchases.user_id', '=', userId)
    .where('purchases.kind', '<>', 'gift')
    .where('purchases.refunded_at', 'is not', null)
    .groupBy(orderId)
    .orderBy('refundedAt', 'desc')
    .limit(MAX_REFUNDS)
    .execute();
  return rows.map((row) => ({
    ...row,
    isRecent: now.getTime() - row.refundedAt.getTime() < RECENT_FOR_MS,
    titles: Number(row.titles),
    amountMinor: Number(row.amountMinor),
  }));
}
