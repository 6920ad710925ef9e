import { DomainError } from '../kernel/errors.ts';
import { giftOf, giveGift, restoreGift, withdrawGift } from '../gifts/give-gift.ts';
import type { PurchaseKind } from '../payment/purchase-kind.ts';
import { takeBackPurchases } from './titles.ts';

export const giftOpened = (): DomainError =>
  new DomainError('conflict', 'This gift has been opened already.', { code: 'gift_redeemed' });

/** One title, or all of a cart, for somebody else. A gift that was opened stays with its recipient. */
export const gift: PurchaseKind = {
  account: 'sales',
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
  takeBack: async (trx, transaction) => {
    const given = await giftOf(trx, transaction);
    if (given) await withdrawGift(trx, given);
    await takeBackPurchases(trx, transaction);
  },
};
