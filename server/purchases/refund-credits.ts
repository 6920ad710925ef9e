import type { Database } from '../database/open.ts';
import { revokeTitle } from '../entitlements/ownership.ts';
import { giftOpenedError, findGiftOfPurchase, withdrawGift } from '../gifts/give-gift.ts';
import { lockCustomer } from '../kernel/lock-customer.ts';
import { bookCredits } from '../subscriptions/credits.ts';

type CreditPurchase = { storeId: string; userId: string; id: string; titleId: string; credits: number };

/**
 * Refunds the credits spent on a title, once, and revokes the title or the unopened gift.
 * @returns false if the credits were refunded before
 * @throws DomainError conflict gift_redeemed
 */
export const refundCredits = (trx: Database, { id, titleId, credits, ...owner }: CreditPurchase): Promise<boolean> =>
  trx.transaction().execute(async (innerTrx) => {
    await lockCustomer(innerTrx, owner.storeId, owner.userId);
    const isNew = await bookCredits(innerTrx, owner, { cause: `refund of purchase ${id}`, amount: credits, isRefund: true });
    if (!isNew) return false;
    const gift = await findGiftOfPurchase(innerTrx, owner.storeId, id);
    if (gift && !(await withdrawGift(innerTrx, gift))) throw giftOpenedError();
    await revokeTitle(innerTrx, { ...owner, titleId }, id);
    return true;
  });
