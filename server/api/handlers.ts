import { campaignTitles } from './catalogue/campaign-titles.ts';
import { addCard, allCards, cardSession, changeCard, deleteCard } from './buying/cards.ts';
import { addToCart, cartTitles, removeCampaign, removeFromCart } from './buying/cart.ts';
import { cartSession } from './buying/cart-session.ts';
import { categories } from './catalogue/categories.ts';
import { confirmTitlePurchase } from './buying/confirm-purchase.ts';
import type { CustomerCall, Handler } from './calls/call.ts';
import type { OperationId } from './calls/contract.ts';
import { coralToken } from './reading/coral-token.ts';
import { creditBalance } from './buying/credit-balance.ts';
import { customFieldValues, signUpFields } from './sign-in/custom-fields.ts';
import { deleteUser } from './account/delete-user.ts';
import { deregisterDevice, userDevices } from './account/devices.ts';
import { purchaseFreeTitle } from './buying/free-title.ts';
import { giftPreview, resendGift, userGifts } from './buying/gifts.ts';
import { userHasTitle } from './reading/has-title.ts';
import { userData } from './account/user-data.ts';
import { saveUserDetails } from './account/user-details.ts';
import { joinPhone, joinProvider, ownProviders, removeProvider, startJoining } from './sign-in/own-providers.ts';
import { userWays } from './account/user-ways.ts';
import { userTitles } from './reading/user-titles.ts';
import { quotePlanChange } from './buying/change-plan.ts';
import { cancelSubscription, customerPortal, ownSubscription, resumeSubscription } from './buying/own-subscription.ts';
import { page } from './store/pages.ts';
import { buyWithCredits } from './buying/buy-with-credits.ts';
import { signInByPasskey, startPasskeySignIn } from './sign-in/passkey-sign-in.ts';
import { addPasskey, passkeys, removePasskey, renamePasskey, startPasskey } from './sign-in/passkeys.ts';
import { forgotPassword, resetPassword, resetWays, validateResetToken } from './sign-in/password.ts';
import { paymentSession } from './buying/payment-session.ts';
import { planById, plans } from './buying/plans.ts';
import { saveViewerProgress, viewerProgress } from './reading/progress.ts';
import { storeProperties } from './store/properties.ts';
import { sendPhoneCode, signInByPhone } from './sign-in/phone.ts';
import { finishProviderSignIn, providers, startProviderSignIn } from './sign-in/providers.ts';
import { purchaseInfo } from './buying/purchase-info.ts';
import { purchaseTitle } from './buying/purchase-title.ts';
import { userPurchases } from './reading/purchases.ts';
import { applyCode, redeemBenefit, redeemFreeTitle, redeemFreeTitles } from './buying/redeem.ts';
import { sessionStatus } from './buying/session-status.ts';
import { signIn } from './sign-in/sign-in.ts';
import { signOut } from './sign-in/sign-out.ts';
import { signUp } from './sign-in/sign-up.ts';
import { confirmSubscription, purchaseSubscription, subscriptionSession } from './buying/subscribing.ts';
import { subscriptionStatus } from './buying/subscription-status.ts';
import { suggestions } from './catalogue/suggestions.ts';
import { tax } from './buying/tax.ts';
import { theme } from './store/theme.ts';
import { relatedTitles, titleById, titleByIsbn } from './catalogue/title.ts';
import { titleFacets } from './catalogue/title-facets.ts';
import { titles } from './catalogue/titles.ts';
import { titlesById } from './catalogue/titles-by-id.ts';
import { titlesByUrl } from './catalogue/titles-by-url.ts';
import { validateToken } from './sign-in/validate-token.ts';
import { verifyRazorpay } from './buying/verify-payment.ts';
import { viewerComponents, viewerUrl } from './reading/viewer.ts';
import { changeWishList, wishList } from './reading/wish-list.ts';

type Handlers = { [Id in OperationId]?: (call: CustomerCall<Id>) => Promise<unknown> };

const implementedHandlers = {
  addCard,
  addPasskey,
  addToCart,
  allCards,
  buyWithCredits,
  applyCode,
  campaignTitles,
  cancelSubscription,
  resumeSubscription,
  customerPortal,
  cardSession,
  cartSession,
  cartTitles,
  categories,
  changeCard,
  changeWishList,
  confirmSubscription,
  confirmTitlePurchase,
  coralToken,
  creditBalance,
  deleteCard,
  customFieldValues,
  deleteUser,
  deregisterDevice,
  finishProviderSignIn,
  forgotPassword,
  joinPhone,
  joinProvider,
  ownProviders,
  giftPreview,
  ownSubscription,
  quotePlanChange,
  page,
  passkeys,
  paymentSession,
  planById,
  plans,
  providers,
  purchaseFreeTitle,
  purchaseInfo,
  purchaseSubscription,
  purchaseTitle,
  redeemBenefit,
  redeemFreeTitle,
  redeemFreeTitles,
  relatedTitles,
  removeCampaign,
  removeFromCart,
  removePasskey,
  removeProvider,
  renamePasskey,
  resendGift,
  resetPassword,
  resetWays,
  saveUserDetails,
  saveViewerProgress,
  sendPhoneCode,
  sessionStatus,
  signIn,
  signInByPasskey,
  signInByPhone,
  signOut,
  signUp,
  signUpFields,
  startJoining,
  startPasskey,
  startPasskeySignIn,
  startProviderSignIn,
  storeProperties,
  subscriptionSession,
  subscriptionStatus,
  suggestions,
  tax,
  theme,
  titleById,
  titleByIsbn,
  titleFacets,
  titles,
  titlesById,
  titlesByUrl,
  userData,
  userDevices,
  userGifts,
  userHasTitle,
  userTitles,
  userPurchases,
  userWays,
  validateResetToken,
  validateToken,
  verifyRazorpay,
  viewerComponents,
  viewerProgress,
  viewerUrl,
  wishList,
} satisfies Handlers;

/**
 * The handlers of the implemented calls by operation id; the response to other calls of the
 * contract is 501. The router passes each handler the call that the contract describes.
 */
export const handlers: Partial<Record<OperationId, Handler>> = implementedHandlers as object;
