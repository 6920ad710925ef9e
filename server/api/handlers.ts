import { campaignTitles } from './campaign-titles.ts';
import { addCard, allCards, cardSession, changeCard, deleteCard } from './cards.ts';
import { addToCart, cartTitles, removeCampaign, removeFromCart } from './cart.ts';
import { cartSession } from './cart-session.ts';
import { categories } from './categories.ts';
import { confirmTitlePurchase } from './confirm-purchase.ts';
import type { CustomerCall, Handler } from './call.ts';
import type { OperationId } from './contract.ts';
import { coralToken } from './coral-token.ts';
import { creditBalance } from './credit-balance.ts';
import { customFieldValues, signUpFields } from './custom-fields.ts';
import { deleteUser } from './delete-user.ts';
import { deregisterDevice, userDevices } from './devices.ts';
import { purchaseFreeTitle } from './free-title.ts';
import { giftPreview, resendGift, userGifts } from './gifts.ts';
import { userHasTitle } from './has-title.ts';
import { userData } from './user-data.ts';
import { saveUserDetails } from './user-details.ts';
import { joinPhone, joinProvider, ownProviders, removeProvider, startJoining } from './own-providers.ts';
import { userWays } from './user-ways.ts';
import { userTitles } from './user-titles.ts';
import { quotePlanChange } from './change-plan.ts';
import { cancelSubscription, customerPortal, ownSubscription, resumeSubscription } from './own-subscription.ts';
import { page } from './pages.ts';
import { buyWithCredits } from './buy-with-credits.ts';
import { signInByPasskey, startPasskeySignIn } from './passkey-sign-in.ts';
import { addPasskey, passkeys, removePasskey, renamePasskey, startPasskey } from './passkeys.ts';
import { forgotPassword, resetPassword, resetWays, validateResetToken } from './password.ts';
import { paymentSession } from './payment-session.ts';
import { planById, plans } from './plans.ts';
import { saveViewerProgress, viewerProgress } from './progress.ts';
import { storeProperties } from './properties.ts';
import { sendPhoneCode, signInByPhone } from './phone.ts';
import { finishProviderSignIn, providers, startProviderSignIn } from './providers.ts';
import { purchaseInfo } from './purchase-info.ts';
import { purchaseTitle } from './purchase-title.ts';
import { userPurchases } from './purchases.ts';
import { applyCode, redeemBenefit, redeemFreeTitle, redeemFreeTitles } from './redeem.ts';
import { sessionStatus } from './session-status.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { signUp } from './sign-up.ts';
import { confirmSubscription, purchaseSubscription, subscriptionSession } from './subscribing.ts';
import { subscriptionStatus } from './subscription-status.ts';
import { suggestions } from './suggestions.ts';
import { tax } from './tax.ts';
import { theme } from './theme.ts';
import { relatedTitles, titleById, titleByIsbn } from './title.ts';
import { titleFacets } from './title-facets.ts';
import { titles } from './titles.ts';
import { titlesById } from './titles-by-id.ts';
import { titlesByUrl } from './titles-by-url.ts';
import { validateToken } from './validate-token.ts';
import { verifyRazorpay } from './verify-razorpay.ts';
import { viewerComponents, viewerUrl } from './viewer.ts';
import { changeWishList, wishList } from './wish-list.ts';

type Served = { [Id in OperationId]?: (call: CustomerCall<Id>) => Promise<unknown> };

const served = {
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
} satisfies Served;

/**
 * The calls that are served, by their operation ids; every other call of the contract answers 501. The router hands each
 * handler the call that the contract describes for it.
 */
export const handlers: Partial<Record<OperationId, Handler>> = served as object;
