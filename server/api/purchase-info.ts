import { currencySymbol, toMajor } from '../catalogue/money.ts';
import { ownedCopy } from '../payment/ownership.ts';
import { findTransaction } from '../payment/transactions.ts';
import type { Answer, CustomerCall } from './call.ts';
import { notFound, Refusal } from './refusal.ts';

/** The receipt of a finished purchase, named by its transaction, or by its copy when it was free. */
export async function purchaseInfo({ services, store, customer, query }: CustomerCall<'purchaseInfo'>): Answer<'purchaseInfo'> {
  const { db } = services;
  const receipt = await db
    .selectFrom('purchases')
    .innerJoin('titles', (join) =>
      join.onRef('titles.store_id', '=', 'purchases.store_id').onRef('titles.id', '=', 'purchases.title_id'),
    )
    .select(['titles.id', 'titles.name', 'purchases.amount_minor', 'purchases.currency', 'purchases.purchased_at'])
    .select(['purchases.id as purchase_id', 'purchases.kind', 'purchases.credits'])
    .where('purchases.store_id', '=', store.id)
    .where('purchases.user_id', '=', customer.id)
    .where((eb) => eb.or([eb('purchases.transaction_id', '=', query.transId), eb('purchases.id', '=', query.transId)]))
    .executeTakeFirst();
  if (!receipt) {
    const open = await findTransaction(db, store.id, customer.id, query.transId);
    if (open) throw new Refusal(409, 'This purchase isn’t complete yet.', { code: 'not_authorized' });
    throw notFound('purchase');
  }
  const owned = await ownedCopy(db, { storeId: store.id, userId: customer.id, titleId: receipt.id });
  const currency = receipt.currency ?? store.currency;
  return {
    transId: query.transId,
    titleId: receipt.id,
    instanceId: owned ?? receipt.purchase_id,
    name: receipt.name,
    amount: toMajor(receipt.amount_minor, currency),
    ...(receipt.credits === null ? {} : { credits: receipt.credits }),
    currency,
    symbol: currencySymbol(currency),
    paidAt: receipt.purchased_at.toISOString(),
    isGift: receipt.kind === 'gift',
  };
}
