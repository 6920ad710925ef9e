import { cartCheckoutPath, cartGiftPath, cartSuccessPath } from './cart-paths.ts';
import { giftPath, purchasePath, purchaseSuccessPath } from './paths.ts';
import type { PaidFor } from './purchase.ts';

/** The page that a payment ends on; its address says that it was a gift. */
export const successPath = (paidFor: PaidFor, transId: string): string => {
  const isGift = paidFor === 'gift' || paidFor === 'cartGift';
  const pathOf = paidFor === 'cart' || paidFor === 'cartGift' ? cartSuccessPath : purchaseSuccessPath;
  return pathOf(transId, isGift);
};

/** The page on which a purchase begins. */
export const beginningPath = (paidFor: PaidFor, titleId: string): string =>
  ({ title: purchasePath(titleId), gift: giftPath(titleId), cart: cartCheckoutPath, cartGift: cartGiftPath })[paidFor];
