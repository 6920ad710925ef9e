import { cartGiftReturnPath, giftReturnPath, purchaseSuccessPath } from '../../../machines/model/paths.ts';
import { DomainError } from '../../kernel/errors.ts';
import { giftOf, giveGift, linesOfGift, restoreGift, withdrawGift } from '../../gifts/give-gift.ts';
import type { PurchaseKind } from '../../payment/purchase-kind.ts';
import { takeBackPurchases } from './titles.ts';

export const giftOpened = (): DomainError =>
  new DomainError('conflict', 'This gift has been opened already.', { code: 'gift_redeemed' });

/**
 * One title, or all of a cart, for another person. A gift that was opened stays with its recipient.
 */
export const gift: PurchaseKind = {
  account: 'sales',
  gone: 'gift',
  isForAnother: true,
  returnPath: ({ id, title_id: titleId }) => (titleId === null ? cartGiftReturnPath(id) : giftReturnPath(id)),
  receiptPath: (transactionId) => purchaseSuccessPath(transactionId),
  refusal: async () => undefined,
  give: async (trx, transaction) => {
    const { id, amount_minor: amountMinor, tax_minor: taxMinor, currency } = transaction;
    const given = await giftOf(trx, transaction);
    if (!given) throw new Error(`The transaction ${id} pays for a gift that is not there.`);
    await giveGift(trx, given, { transactionId: id, amountMinor, taxMinor, currency });
  },
  withhold: async (trx, transaction) => {
    const given = await giftOf(trx, transaction);
    if (given && !(await withdrawGift(trx, given))) throw giftOpened();
  },
  restore: async (trx, transaction) => {
    const given = await giftOf(trx, transaction);
    if (given) await restoreGift(trx, given);
  },
  // A gift has no copy yet: its own id is in its place.
  granted: async (db, paid) => {
    const given = await giftOf(db, paid);
    if (!given) throw new Error(`The paid transaction ${paid.id} gave nothing.`);
    const [first] = await linesOfGift(db, given);
    return { titleId: first?.titleId ?? '', instanceId: given.id };
  },
  takeBack: async (trx, transaction) => {
    const given = await giftOf(trx, transaction);
    if (given) await withdrawGift(trx, given);
    await takeBackPurchases(trx, transaction);
  },
};
