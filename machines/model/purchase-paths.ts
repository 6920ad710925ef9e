import { withQuery } from './paths.ts';

/**
 * The paths of the pages of the cart, of purchases and of plans; the server sends some of them to
 * the gateway as return URLs.
 */

/** The path of the cart's page. */
export const cartPath = '/purchase';

/** The path of the cart's checkout. */
export const cartCheckoutPath = '/cart/checkout';

/** The path of the page to buy the whole cart as a gift. */
export const cartGiftPath = '/cart/gift';

/** The gateway's return URL after paying for a cart as a gift. */
export const cartGiftReturnPath = (transId: string): string => withQuery(cartGiftPath, { transId });

/** The path of the page with the subscription plans. */
export const plansPath = '/subscription';

/** The path of the page to subscribe to a plan. */
export const subscribePath = (planId: string, code = ''): string => withQuery('/subscription/purchase', { planid: planId, code });

/** The path of the page after a new subscription. */
export const subscribedPath = '/subscription/purchase/success';

export const purchasePath = (titleId: string): string => withQuery('/title/purchase', { titleid: titleId });

/** The path of a purchase's success page, with a query parameter that marks a gift. */
export const purchaseSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/title/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** The path of a cart's success page, with a query parameter that marks a gift. */
const cartSuccessPath = (transId: string, isGift = false): string =>
  withQuery('/cart/purchase/success', { transId, isgift: isGift ? 'true' : '' });

/** The gateway's return URL after a payment. */
export const paymentReturnPath = (transId: string): string => withQuery('/checkout/complete', { transId });

/** The path of the page to buy a title as a gift. */
export const giftPath = (titleId: string): string => withQuery('/title/gift', { titleid: titleId });

/** The gateway's return URL after paying for a gift. */
export const giftReturnPath = (transId: string): string => withQuery('/title/gift', { transId });

/** The gateway's return URL after storing a card. */
export const cardReturnPath = '/account';

/** The paths of the success pages, by the purpose of the payment. */
const successPaths = {
  title: (transId: string) => purchaseSuccessPath(transId),
  gift: (transId: string) => purchaseSuccessPath(transId, true),
  cart: (transId: string) => cartSuccessPath(transId),
  cartGift: (transId: string) => cartSuccessPath(transId, true),
  subscription: () => subscribedPath,
};

type PurchaseKind = keyof typeof successPaths;

/** The path of a payment's success page. */
export const successPath = (of: PurchaseKind, transId: string): string => successPaths[of](transId);

/** The path of a purchase's first page: for a title or plan by its id, or for the cart. */
export const purchaseStartPath = ({ of, titleId, planId }: { of: PurchaseKind; titleId: string; planId: string }): string =>
  ({
    title: purchasePath(titleId),
    gift: giftPath(titleId),
    cart: cartCheckoutPath,
    cartGift: cartGiftPath,
    subscription: subscribePath(planId),
  })[of];
