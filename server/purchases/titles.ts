import { randomUUID } from 'node:crypto';
import type { Database } from '../database/open.ts';
import { grant, ownedCopy, takeBack } from '../entitlements/ownership.ts';
import { beingCharged } from '../payment/being-charged.ts';
import { alreadyOwned, boughtElsewhere } from '../payment/open-transaction.ts';
import { linesOf } from '../payment/order.ts';
import type { PurchaseKind } from '../payment/purchase-kind.ts';
import type { Transaction } from '../payment/transactions.ts';

/** Takes back all purchases that a payment has paid for. */
export async function takeBackPurchases(trx: Database, { store_id: storeId, user_id: userId, id }: Transaction): Promise<void> {
  const purchases = await trx
    .selectFrom('purchases')
    .select(['id', 'title_id'])
    .where('store_id', '=', storeId)
    .where('transaction_id', '=', id)
    .execute();
  for (const purchase of purchases) await takeBack(trx, { storeId, userId, titleId: purchase.title_id ?? '' }, purchase.id);
}

/** One title, or all of a cart, for the customer. */
export const titles: PurchaseKind = {
  account: 'sales',
  refusal: async (trx, transaction) => {
    const { store_id: storeId, user_id: userId } = transaction;
    const titleIds = (await linesOf(trx, transaction)).map(({ titleId }) => titleId);
    for (const titleId of titleIds) if (await ownedCopy(trx, { storeId, userId, titleId })) return alreadyOwned();
    return (await beingCharged(trx, { storeId, userId, except: transaction.id }, titleIds)).length > 0
      ? boughtElsewhere()
      : undefined;
  },
  give: async (trx, transaction) => {
    const lines = await linesOf(trx, transaction);
    if (lines.length === 0) throw new Error(`The transaction ${transaction.id} buys something that cannot be granted yet.`);
    for (const { titleId, amountMinor, taxMinor = 0 } of lines)
      await grant(trx, randomUUID(), {
        storeId: transaction.store_id,
        userId: transaction.user_id,
        titleId,
        kind: 'payment',
        transactionId: transaction.id,
        amountMinor: amountMinor + taxMinor,
        taxMinor,
        currency: transaction.currency,
      });
  },
  // Titles that are read while their money goes back are read no longer once it went back.
  withhold: async () => undefined,
  restore: async () => undefined,
  takeBack: takeBackPurchases,
};
