import * as v from 'valibot';
import type { Category } from '../catalogue/title.ts';

const optionalText = (fallback = '') => v.optional(v.string(), fallback);
const optionalFlag = (fallback: boolean) => v.optional(v.boolean(), fallback);

export const SortOption = v.object({ text: v.string(), value: v.string() });
export type SortOption = v.InferOutput<typeof SortOption>;

export const AppStoreUrl = v.object({ type: v.picklist(['GooglePlay', 'Apple']), url: v.string() });
export type AppStoreUrl = v.InferOutput<typeof AppStoreUrl>;

/** The fallback name of a store without one. */
const productName = 'Colophon';

/**
 * A store's configuration as the server sends it (specification section 3), with the defaults of
 * section 9 filled in.
 */
export const StoreProperties = v.object({
  shelfId: v.pipe(v.string(), v.nonEmpty()),
  shelfName: optionalText(productName),
  shelfLogo: optionalText(),
  shelfColor: optionalText(),
  favIcon: optionalText(),
  /** Null if the store has no app. */
  appStoreUrls: v.nullish(v.array(AppStoreUrl), null),
  enableSubscription: optionalFlag(true),
  enableEbook: optionalFlag(true),
  enableAudioTitle: optionalFlag(false),
  enableVideoTitle: optionalFlag(false),
  ebooksDisplayText: optionalText('eBooks'),
  audioTitlesDisplayText: optionalText('Audio Books'),
  videoTitlesDisplayText: optionalText('Video Books'),
  titlesDisplayText: optionalText('Titles'),
  myCatalogDisplayText: optionalText('My Catalog'),
  about: optionalText(),
  termsOfService: optionalText(),
  termsOfServiceUrl: optionalText(),
  privacyPolicy: optionalText(),
  privacyPolicyUrl: optionalText(),
  supportEmail: optionalText(),
  actionAfterPurchaseConfirmation: optionalText(),
  actionAfterPurchaseConfirmationLinkText: optionalText(),
  cookieConsentUrl: optionalText(),
  showCookieConsent: optionalFlag(false),
  enableWebSubscriptionRedeem: optionalFlag(true),
  enableWebTitleRedeem: optionalFlag(true),
  subscriptionMessageHtml: optionalText(),
  showBuyTitle: optionalFlag(true),
  enableWebReader: optionalFlag(true),
  faq: optionalText(),
  enableTax: optionalFlag(false),
  showTitlePrice: optionalFlag(true),
  customCode: optionalText(),
  showPapertrellBrand: optionalFlag(true),
  allTitlesSortOptions: v.optional(v.array(SortOption), []),
  myLibrarySortOptions: v.optional(v.array(SortOption), []),
  enableBuyWithCredits: optionalFlag(false),
  showNewsletterControls: optionalFlag(false),
  newsletterSignupText: optionalText(),
  purchaseCountries: v.optional(v.array(v.string()), []),
  creditsPerRenewal: v.optional(v.number(), 0),
  creditCurrency: optionalText(),
  enableMblurb: optionalFlag(false),
  subscribeButtonText: optionalText(),
  subscribeButtonSubText: optionalText(),
  hideFilters: optionalFlag(false),
  enableGiftingTitle: optionalFlag(false),
  showRelatedTitles: optionalFlag(true),
  shopifyShop: optionalText(),
  storeUrl: optionalText(),
  storeUrlAlt: optionalText(),
  /** API calls beyond the specification that the server's configuration lists. */
  additions: v.optional(v.array(v.string()), []),
  /** The store uses a test mode, in which payments charge nothing. */
  inTestMode: v.optional(v.boolean(), false),
  /** The wallets that the payment page accepts, by the gateway's names. */
  wallets: v.optional(v.array(v.string()), []),
});
export type StoreProperties = v.InferOutput<typeof StoreProperties>;

/** The store's texts in one language; `categories` is missing if they failed to load. */
export type StoreTexts = { store: StoreProperties; categories?: Category[] };

/**
 * Colours that a store has set besides its own colour (`shelfColor`), as CSS colours; unset ones
 * are missing.
 */
export type StoreTheme = { topBar?: string; sidebar?: string; footer?: string };
