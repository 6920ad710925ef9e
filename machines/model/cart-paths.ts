import { withQuery } from './paths.ts';

/** The cart. */
export const cartPath = '/purchase';

/** Paying for it. */
export const cartCheckoutPath = '/cart/checkout';

/** What was bought. */
export const cartSuccessPath = (transId: string): string => withQuery('/cart/purchase/success', { transId });
