import type { Database } from '../database/open.ts';
import { takeBack } from '../entitlements/ownership.ts';
import { giftBought, withdrawGift } from '../gifts/give-gift.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { bookCredits } from '../subscriptions/credits.ts';
import { giftOpened } from './kinds/gift.ts';

type CreditPurchase = { storeId: string; userId: string; id: string; titleId: string; credits: number };

/**
 * Gives back the credits that were spent for a title, and takes the title back, or the gift that
 * was not opened; once.
 * @returns false where that was done before
 * @throws DomainError conflict gift_redeemed
 */
export const refundCredits = (trx: Database, { id, titleId, credits, ...owner }: CreditPurchase): Promise<boolean> =>
  trx.transaction().execute(async (inner) => {
    await lockCustomer(inner, owner.storeId, owner.userId);
    const isNew = await bookCredits(inner, owner, { cause: `refund of purchase ${id}`, amount: credits, isBack: true });
    if (!isNew) return false;
    const gift = await giftBought(inner, owner.storeId, id);
    if (gift && !(await withdrawGift(inner, gift))) throw giftOpened();
    await takeBack(inner, { ...owner, titleId }, id);
    return true;
  });
