import { cartGiftReturnPath, giftReturnPath, purchaseSuccessPath } from '../../../machines/model/paths.ts';
import { DomainError } from '../../kernel/errors.ts';
import { findGiftOfTransaction, giveGift, readGiftLines, restoreGift, withdrawGift } from '../../gifts/give-gift.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import { revokePurchases } from './titles.ts';

export const giftOpenedError = (): DomainError =>
  new DomainError('conflict', 'This gift has been opened already.', { code: 'gift_redeemed' });

/** A title or a whole cart for another person. An opened gift stays with its recipient. */
export const gift: PurchaseKind = {
  account: 'sales',
  gone: 'gift',
  isForAnother: true,
  returnPath: ({ id, title_id: titleId }) => (titleId === null ? cartGiftReturnPath(id) : giftReturnPath(id)),
  receiptPath: (transactionId) => purchaseSuccessPath(transactionId),
  refusal: async () => undefined,
  give: async (trx, transaction) => {
    const { id, amount_minor: amountMinor, tax_minor: taxMinor, currency } = transaction;
    const given = await findGiftOfTransaction(trx, transaction);
    if (!given) throw new Error(`Transaction ${id} is for a gift that does not exist.`);
    await giveGift(trx, given, { transactionId: id, amountMinor, taxMinor, currency });
  },
  withhold: async (trx, transaction) => {
    const given = await findGiftOfTransaction(trx, transaction);
    if (given && !(await withdrawGift(trx, given))) throw giftOpenedError();
  },
  restore: async (trx, transaction) => {
    const given = await findGiftOfTransaction(trx, transaction);
    if (given) await restoreGift(trx, given);
  },
  // An unopened gift has no copy; its own id takes that place.
  granted: async (db, paid) => {
    const given = await findGiftOfTransaction(db, paid);
    if (!given) throw new Error(`Paid transaction ${paid.id} has no gift.`);
    const [first] = await readGiftLines(db, given);
    return { titleId: first?.titleId ?? '', instanceId: given.id };
  },
  takeBack: async (trx, transaction) => {
    const given = await findGiftOfTransaction(trx, transaction);
    if (given) await withdrawGift(trx, given);
    await revokePurchases(trx, transaction);
  },
};
