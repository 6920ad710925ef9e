import { withQuery } from './paths.ts';

/** The cart. */
export const cartPath = '/purchase';

/** Paying for it. */
export const cartCheckoutPath = '/cart/checkout';

/** Giving all of it to somebody. */
export const cartGiftPath = '/cart/gift';

/** Where the gateway sends those back to who pay for such a gift. */
export const cartGiftReturnPath = (transId: string): string => withQuery(cartGiftPath, { transId });

/** What was bought. */
export const cartSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/cart/purchase/success', { transId, isgift: isGift ? 'true' : '' });
