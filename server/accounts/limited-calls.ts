/** Groups of calls (operation ids), each used by several rate limits. */

export const PAYMENT_CALLS = [
  'paymentSession',
  'cartSession',
  'subscriptionSession',
  'purchaseTitle',
  'purchaseSubscription',
] as const;
export const GIFT_CALLS = ['paymentSession', 'cartSession', 'purchaseTitle'] as const;
export const SIGN_UP_CALLS = ['signUp', 'finishProviderSignIn', 'signInByPhone'] as const;
export const PASSWORD_CALLS = ['signIn', 'saveUserDetails', 'deleteUser'] as const;
export const CODE_CALLS = [
  'applyCode',
  'redeemFreeTitle',
  'redeemFreeTitles',
  'redeemBenefit',
  'tax',
  'cartTitles',
  'addToCart',
  'removeFromCart',
  'removeCampaign',
  ...PAYMENT_CALLS,
] as const;
export const PROVIDER_CALLS = [
  'startProviderSignIn',
  'finishProviderSignIn',
  'startJoining',
  'joinProvider',
  'joinPhone',
  'signInByPhone',
  'startPasskey',
  'addPasskey',
  'startPasskeySignIn',
  'signInByPasskey',
] as const;
export const CHANGE_CALLS = [
  'addToCart',
  'removeFromCart',
  'removeCampaign',
  'changeWishList',
  'purchaseFreeTitle',
  'buyWithCredits',
  'redeemFreeTitle',
  'redeemFreeTitles',
  'redeemBenefit',
  'giftPreview',
  'renamePasskey',
  'removePasskey',
  'removeProvider',
  'deregisterDevice',
] as const;
