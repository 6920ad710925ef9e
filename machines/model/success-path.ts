import { cartSuccessPath } from './cart-paths.ts';
import { purchaseSuccessPath } from './paths.ts';
import type { PaidFor } from './purchase.ts';

/** The page that a payment ends on; its address says that it was a gift. */
export const successPath = (paidFor: PaidFor, transId: string): string => {
  const isGift = paidFor === 'gift' || paidFor === 'cartGift';
  const pathOf = paidFor === 'cart' || paidFor === 'cartGift' ? cartSuccessPath : purchaseSuccessPath;
  return pathOf(transId, isGift);
};
