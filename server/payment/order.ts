import type { Database } from '../database/open.ts';
import type { Transaction } from './transactions.ts';

/** A title of an order, and what it costs in the smallest unit of the order's currency. */
export type OrderLine = { titleId: string; amountMinor: number };

/** What is to be paid for: one title, for the customer or as a gift, or a cart of several. All in one currency, and charged at once. */
export type Order = {
  storeId: string;
  userId: string;
  kind: 'title' | 'gift' | 'cart';
  /** A gift of all that is in a cart. */
  isCart?: true;
  lines: OrderLine[];
  currency: string;
  /** That makes it cheaper, as it is kept. */
  code: string | null;
};

/** The one title that an order is for; null for all of a cart. */
export const titleOf = ({ kind, isCart, lines }: Order): string | null =>
  kind === 'cart' || isCart ? null : (lines[0]?.titleId ?? null);

export const totalOf = ({ lines }: Pick<Order, 'lines'>): number => lines.reduce((sum, line) => sum + line.amountMinor, 0);

/** The titles that a transaction pays for, in the order in which they were put into it; none for a subscription. */
export async function linesOf(
  db: Database,
  transaction: Pick<Transaction, 'store_id' | 'id' | 'title_id' | 'amount_minor'>,
): Promise<OrderLine[]> {
  const { store_id: storeId, id, title_id: titleId, amount_minor: amountMinor } = transaction;
  if (titleId !== null) return [{ titleId, amountMinor }];
  const rows = await db
    .selectFrom('transaction_lines')
    .select(['title_id', 'amount_minor'])
    .where('store_id', '=', storeId)
    .where('transaction_id', '=', id)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ titleId: row.title_id, amountMinor: row.amount_minor }));
}

/** Writes down what a transaction of several titles is for, in the caller's transaction. */
export async function keepLines(trx: Database, { store_id: storeId, id }: Transaction, lines: OrderLine[]): Promise<void> {
  const rows = lines.map((line, position) => ({
    store_id: storeId,
    transaction_id: id,
    title_id: line.titleId,
    amount_minor: line.amountMinor,
    position,
  }));
  await trx.insertInto('transaction_lines').values(rows).execute();
}

const described = (lines: readonly OrderLine[]): string =>
  lines
    .map(({ titleId, amountMinor }) => `${titleId} ${amountMinor}`)
    .toSorted()
    .join();

/** Whether both are the same titles for the same money, in whatever order. */
export const areSameLines = (one: readonly OrderLine[], other: readonly OrderLine[]): boolean =>
  described(one) === described(other);
