import type { Database } from '../database/open.ts';
import type { PaymentMethod, TaxedPlace } from '../database/schema/payments.ts';
import type { Transaction } from './transactions.ts';

/** A title of an order, what it costs without tax, and the tax on that, in the smallest unit of the order's currency. */
export type OrderLine = { titleId: string; amountMinor: number; taxMinor?: number };

/** What is to be paid for: one title, for the customer or as a gift, or a cart of several. All in one currency, and charged at once. */
export type Order = {
  storeId: string;
  userId: string;
  /** one of the kinds of purchases */
  kind: string;
  /** It is for all that is in a cart. */
  isCart?: true;
  lines: OrderLine[];
  currency: string;
  /** That makes it cheaper, as it is kept. */
  code: string | null;
  method: 'card' | PaymentMethod;
  /** Null where the store adds none. */
  tax: TaxedPlace | null;
};

/** The one title that an order is for; null for all of a cart. */
export const titleOf = ({ isCart, lines }: Pick<Order, 'isCart' | 'lines'>): string | null =>
  isCart ? null : (lines[0]?.titleId ?? null);

/** What all of it costs without tax. */
export const totalOf = ({ lines }: Pick<Order, 'lines'>): number => lines.reduce((sum, line) => sum + line.amountMinor, 0);

export const taxOf = ({ lines }: Pick<Order, 'lines'>): number => lines.reduce((sum, line) => sum + (line.taxMinor ?? 0), 0);

/** The titles that a transaction pays for, in the order in which they were put into it; none for a subscription. */
export async function linesOf(
  db: Database,
  transaction: Pick<Transaction, 'store_id' | 'id' | 'title_id' | 'amount_minor' | 'tax_minor'>,
): Promise<OrderLine[]> {
  const { store_id: storeId, id, title_id: titleId, amount_minor: amountMinor, tax_minor: taxMinor } = transaction;
  if (titleId !== null) return [{ titleId, amountMinor: amountMinor - taxMinor, taxMinor }];
  const rows = await db
    .selectFrom('transaction_lines')
    .select(['title_id', 'amount_minor', 'tax_minor'])
    .where('store_id', '=', storeId)
    .where('transaction_id', '=', id)
    .orderBy('position')
    .execute();
  return rows.map((row) => ({ titleId: row.title_id, amountMinor: row.amount_minor, taxMinor: row.tax_minor }));
}

/** Writes down what a transaction of several titles is for, in the caller's transaction. */
export async function keepLines(trx: Database, { store_id: storeId, id }: Transaction, lines: OrderLine[]): Promise<void> {
  const rows = lines.map((line, position) => ({
    store_id: storeId,
    transaction_id: id,
    title_id: line.titleId,
    amount_minor: line.amountMinor,
    tax_minor: line.taxMinor ?? 0,
    position,
  }));
  await trx.insertInto('transaction_lines').values(rows).execute();
}

const described = (lines: readonly OrderLine[]): string =>
  lines
    .map(({ titleId, amountMinor, taxMinor = 0 }) => `${titleId} ${amountMinor} ${taxMinor}`)
    .toSorted()
    .join();

const placeOf = (tax: TaxedPlace | null): string => (tax === null ? '' : `${tax.country}-${tax.region}`);

/** Whether a transaction is for the same titles for the same money, in whatever order, taxed in the same place, by the same code and method. */
export async function isForOrder(db: Database, transaction: Transaction, order: Order): Promise<boolean> {
  const { currency, code, method, tax } = transaction;
  if (currency !== order.currency || code !== order.code || method !== order.method || placeOf(tax) !== placeOf(order.tax))
    return false;
  return described(await linesOf(db, transaction)) === described(order.lines);
}
