import { currencySymbol, toMajor } from '../../base/money.ts';
import { readOwnedCopies } from '../../entitlements/ownership.ts';
import { getUnpaidError } from '../../payment/confirm.ts';
import { findTransaction } from '../../payment/transactions.ts';
import type { Answer, CustomerCall } from '../calls/call.ts';
import { readBoughtGift } from './gifts.ts';
import { notFound } from '../../kernel/errors.ts';
import { toWireRates } from './tax.ts';

/**
 * Returns the receipt of a finished purchase, by its transaction's id, or by its own id if it had
 * no payment; the receipt of a cart has all of its titles.
 */
export async function purchaseInfo({ services, store, customer, query }: CustomerCall<'purchaseInfo'>): Answer<'purchaseInfo'> {
  const { db } = services;
  const rows = await db
    .selectFrom('purchases')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'purchases.store_id').onRef('titles.id', '=', 'purchases.title_id'),
    )
    .leftJoin('transaction_lines', (join) =>
      join
        .onRef('transaction_lines.store_id', '=', 'purchases.store_id')
        .onRef('transaction_lines.transaction_id', '=', 'purchases.transaction_id')
        .onRef('transaction_lines.title_id', '=', 'purchases.title_id'),
    )
    .leftJoin('transactions', (join) =>
      join.onRef('transactions.store_id', '=', 'purchases.store_id').onRef('transactions.id', '=', 'purchases.transaction_id'),
    )
    .select(['transactions.refunded_minor', 'transactions.tax', 'purchases.refunded_at', 'purchases.tax_minor'])
    .select(['titles.id', 'titles.name', 'purchases.amount_minor', 'purchases.currency', 'purchases.purchased_at'])
    .select(['purchases.id as purchase_id', 'purchases.credits'])
    .where('purchases.store_id', '=', store.id)
    .where('purchases.user_id', '=', customer.id)
    .where((eb) => eb.or([eb('purchases.transaction_id', '=', query.transId), eb('purchases.id', '=', query.transId)]))
    .orderBy('transaction_lines.position')
    .execute();
  const [receipt] = rows;
  if (!receipt) {
    const transaction = await findTransaction(db, store.id, customer.id, query.transId);
    throw transaction ? getUnpaidError(transaction) : notFound('purchase');
  }
  const owner = { storeId: store.id, userId: customer.id };
  const gift = await readBoughtGift(db, owner, query.transId);
  const copies = await readOwnedCopies(db, owner);
  const ownedCopies = new Map(copies.map((copy) => [copy.title_id, copy.instance_id]));
  const currency = receipt.currency ?? store.currency;
  const titles = rows.map((row) => ({
    titleId: row.id,
    instanceId: ownedCopies.get(row.id) ?? row.purchase_id,
    name: row.name,
    amount: toMajor(row.amount_minor - row.tax_minor, currency),
  }));
  const sumColumn = (column: 'amount_minor' | 'tax_minor') =>
    toMajor(
      rows.reduce((sum, row) => sum + row[column], 0),
      currency,
    );
  return {
    transId: query.transId,
    titleId: receipt.id,
    instanceId: ownedCopies.get(receipt.id) ?? receipt.purchase_id,
    name: receipt.name,
    amount: sumColumn('amount_minor'),
    ...(receipt.tax ? { tax: sumColumn('tax_minor'), taxRates: toWireRates(receipt.tax, currency) } : {}),
    ...(receipt.credits === null ? {} : { credits: receipt.credits }),
    currency,
    symbol: currencySymbol(currency),
    paidAt: receipt.purchased_at.toISOString(),
    ...(receipt.refunded_minor ? { refunded: toMajor(receipt.refunded_minor, currency) } : {}),
    ...(receipt.refunded_at === null ? {} : { refundedAt: receipt.refunded_at.toISOString() }),
    isGift: gift !== undefined,
    ...(gift === undefined ? {} : { gift }),
    ...(titles.length > 1 ? { titles } : {}),
  };
}
