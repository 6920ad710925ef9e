import { withQuery } from './paths.ts';

/** The cart. */
export const cartPath = '/purchase';

/** Paying for it. */
export const cartCheckoutPath = '/cart/checkout';

/** Where the gateway sends those back to who pay for a cart. */
export const cartReturnPath = (transId: string): string => withQuery(cartCheckoutPath, { transId });

/** What was bought. */
export const cartSuccessPath = (transId: string): string => withQuery('/cart/purchase/success', { transId });
