import * as v from 'valibot';
import type { Category } from '../catalogue/title.ts';

const text = (fallback = '') => v.optional(v.string(), fallback);
const flag = (fallback: boolean) => v.optional(v.boolean(), fallback);

export const SortOption = v.object({ text: v.string(), value: v.string() });
export type SortOption = v.InferOutput<typeof SortOption>;

export const AppStoreUrl = v.object({ type: v.picklist(['GooglePlay', 'Apple']), url: v.string() });
export type AppStoreUrl = v.InferOutput<typeof AppStoreUrl>;

/** The name of a store that has none of its own. */
const productName = 'Colophon';

/** A store's configuration as the server gives it (specification section 3), defaults of section 9 filled in. */
export const StoreProperties = v.object({
  shelfId: v.pipe(v.string(), v.nonEmpty()),
  shelfName: text(productName),
  shelfLogo: text(),
  shelfColor: text(),
  favIcon: text(),
  /** null where the store says nothing of an app */
  appStoreUrls: v.nullish(v.array(AppStoreUrl), null),
  enableSubscription: flag(true),
  enableEbook: flag(true),
  enableAudioTitle: flag(false),
  enableVideoTitle: flag(false),
  ebooksDisplayText: text('eBooks'),
  audioTitlesDisplayText: text('Audio Books'),
  videoTitlesDisplayText: text('Video Books'),
  titlesDisplayText: text('Titles'),
  myCatalogDisplayText: text('My Catalog'),
  about: text(),
  termsOfService: text(),
  termsOfServiceUrl: text(),
  privacyPolicy: text(),
  privacyPolicyUrl: text(),
  supportEmail: text(),
  actionAfterPurchaseConfirmation: text(),
  actionAfterPurchaseConfirmationLinkText: text(),
  cookieConsentUrl: text(),
  showCookieConsent: flag(false),
  enableWebSubscriptionRedeem: flag(true),
  enableWebTitleRedeem: flag(true),
  subscriptionMessageHtml: text(),
  showBuyTitle: flag(true),
  enableWebReader: flag(true),
  faq: text(),
  enableTax: flag(false),
  showTitlePrice: flag(true),
  customCode: text(),
  showPapertrellBrand: flag(true),
  allTitlesSortOptions: v.optional(v.array(SortOption), []),
  myLibrarySortOptions: v.optional(v.array(SortOption), []),
  enableBuyWithCredits: flag(false),
  showNewsletterControls: flag(false),
  newsletterSignupText: text(),
  purchaseCountries: v.optional(v.array(v.string()), []),
  creditsPerRenewal: v.optional(v.number(), 0),
  creditCurrency: text(),
  enableMblurb: flag(false),
  subscribeButtonText: text(),
  subscribeButtonSubText: text(),
  hideFilters: flag(false),
  enableGiftingTitle: flag(false),
  showRelatedTitles: flag(true),
  shopifyShop: text(),
  storeUrl: text(),
  storeUrlAlt: text(),
  /** Calls beyond the specification that the server's configuration names. */
  additions: v.optional(v.array(v.string()), []),
  /** Payments charge nothing. */
  inTestMode: v.optional(v.boolean(), false),
});
export type StoreProperties = v.InferOutput<typeof StoreProperties>;

/** What a store says of itself, in one language; without categories where these did not come. */
export type StoreWords = { store: StoreProperties; categories?: Category[] };

/** Colours that a store has set for itself beside its own (`theme`), as CSS colours; those that it has not are missing. */
export type StoreTheme = { topBar?: string; sidebar?: string; footer?: string };
