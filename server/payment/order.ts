import type { Database } from '../database/open.ts';
import type { PaymentMethod, TaxLocation } from '../database/schema/payments.ts';
import type { Transaction } from './transactions.ts';

/** A title of an order with its net price and tax, in the smallest unit of the order's currency. */
export type OrderLine = { titleId: string; amountMinor: number; taxMinor?: number };

/**
 * A purchase of one title or of a cart, for the customer or as a gift. All lines have one currency
 * and are charged together.
 */
export type Order = {
  storeId: string;
  userId: string;
  /** a key of `PurchaseKinds`, such as `title` */
  kind: string;
  /** the order is for a cart, even if that has only one title */
  isCart?: true;
  lines: OrderLine[];
  currency: string;
  /** normalised discount code; null without one */
  code: string | null;
  method: 'card' | PaymentMethod;
  /** place of taxation with its rates; null if the store adds no tax */
  tax: TaxLocation | null;
};

/** Returns the id of the order's only title; null for a cart. */
export const getSingleTitleId = ({ isCart, lines }: Pick<Order, 'isCart' | 'lines'>): string | null =>
  isCart ? null : (lines[0]?.titleId ?? null);

/** Returns the net total. */
export const sumAmounts = ({ lines }: Pick<Order, 'lines'>): number => lines.reduce((sum, line) => sum + line.amountMinor, 0);

export const sumTaxes = ({ lines }: Pick<Order, 'lines'>): number => lines.reduce((sum, line) => sum + (line.taxMinor ?? 0), 0);

/** Reads the lines of a transaction in their original order; empty for a subscription. */
export async function readLines(
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

/** Stores the lines of a cart's transaction, in the caller's database transaction. */
export async function insertLines(trx: Database, { store_id: storeId, id }: Transaction, lines: OrderLine[]): Promise<void> {
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

const toLinesKey = (lines: readonly OrderLine[]): string =>
  lines
    .map(({ titleId, amountMinor, taxMinor = 0 }) => `${titleId} ${amountMinor} ${taxMinor}`)
    .toSorted()
    .join();

const toPlaceKey = (tax: TaxLocation | null): string => (tax === null ? '' : `${tax.country}-${tax.region}`);

/**
 * Whether a transaction has the order's currency, code, method, place of taxation, and titles with
 * their amounts, in any sequence.
 */
export async function isForOrder(db: Database, transaction: Transaction, order: Order): Promise<boolean> {
  const { currency, code, method, tax } = transaction;
  if (currency !== order.currency || code !== order.code || method !== order.method || toPlaceKey(tax) !== toPlaceKey(order.tax))
    return false;
  return toLinesKey(await readLines(db, transaction)) === toLinesKey(order.lines);
}
