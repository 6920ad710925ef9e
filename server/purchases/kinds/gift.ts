import { cartGiftReturnPath, giftReturnPath, purchaseSuccessPath } from '../../../machines/model/purchase-paths.ts';
import {
  findGiftOfTransaction,
  giftOpenedError,
  giveGift,
  readGiftLines,
  restoreGift,
  withdrawGift,
} from '../../gifts/give-gift.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import { revokePurchases } from './titles.ts';

/** A title or a whole cart for another person. An opened gift stays with its recipient. */
export const gift: PurchaseKind = {
  account: 'sales',
  lossKind: 'gift',
  isForAnother: true,
  returnPath: ({ id, title_id: titleId }) => (titleId === null ? cartGiftReturnPath(id) : giftReturnPath(id)),
  receiptPath: (transactionId) => purchaseSuccessPath(transactionId),
  findRefusal: async () => undefined,
  grant: async (trx, transaction) => {
    const { id, amount_minor: amountMinor, tax_minor: taxMinor, currency } = transaction;
    const storedGift = await findGiftOfTransaction(trx, transaction);
    if (!storedGift) throw new Error(`Transaction ${id} is for a gift that does not exist.`);
    await giveGift(trx, storedGift, { transactionId: id, amountMinor, taxMinor, currency });
  },
  withhold: async (trx, transaction) => {
    const storedGift = await findGiftOfTransaction(trx, transaction);
    if (storedGift && !(await withdrawGift(trx, storedGift))) throw giftOpenedError();
  },
  restore: async (trx, transaction) => {
    const storedGift = await findGiftOfTransaction(trx, transaction);
    if (storedGift) await restoreGift(trx, storedGift);
  },
  // The giver gets no copy: the gift's id is returned in its place.
  findGrantedTitle: async (db, paidTransaction) => {
    const storedGift = await findGiftOfTransaction(db, paidTransaction);
    if (!storedGift) throw new Error(`Paid transaction ${paidTransaction.id} has no gift.`);
    const [firstLine] = await readGiftLines(db, storedGift);
    return { titleId: firstLine?.titleId ?? '', instanceId: storedGift.id };
  },
  revoke: async (trx, transaction) => {
    const storedGift = await findGiftOfTransaction(trx, transaction);
    if (storedGift) await withdrawGift(trx, storedGift);
    await revokePurchases(trx, transaction);
  },
};
