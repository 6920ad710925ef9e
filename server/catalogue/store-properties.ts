type Kind = 'text' | 'flag' | 'number' | 'countries' | 'links';

type Property = { kind: Kind; default?: string };

const text = (otherwise?: string): Property => ({ kind: 'text', ...(otherwise === undefined ? {} : { default: otherwise }) });
const on: Property = { kind: 'flag', default: 'true' };
const off: Property = { kind: 'flag', default: 'false' };

/**
 * Every property of a store except its ShelfId, with its default. If a text has no value and no default, the answer leaves
 * it out. docs/store-properties.md explains what each property does.
 */
export const storeProperties: Record<string, Property> = {
  ShelfName: text('Colophon'),
  ShelfLogo: text(),
  ShelfColor: text(),
  FavIcon: text(),
  AppStoreUrls: { kind: 'links' },
  EnableSubscription: on,
  EnableEbook: on,
  EnableAudioTitle: off,
  EnableVideoTitle: off,
  EbooksDisplayText: text('eBooks'),
  AudioTitlesDisplayText: text('Audio Books'),
  VideoTitlesDisplayText: text('Video Books'),
  TitlesDisplayText: text('Titles'),
  MyCatalogDisplayText: text('My Catalog'),
  About: text(),
  TermsOfService: text(),
  TermsOfServiceUrl: text(),
  PrivacyPolicy: text(),
  PrivacyPolicyUrl: text(),
  SupportEmail: text(),
  ActionAfterPurchaseConfirmation: text(),
  ActionAfterPurchaseConfirmationLinkText: text(),
  CookieConsentUrl: text(),
  ShowCookieConsent: off,
  EnableWebSubscriptionRedeem: on,
  EnableWebTitleRedeem: on,
  SubscriptionMessageHtml: text(),
  ShowBuyTitle: on,
  EnableWebReader: on,
  Faq: text(),
  EnableTax: off,
  ShowTitlePrice: on,
  CustomCode: text(),
  ShowPapertrellBrand: on,
  AllTitlesSortOptions: text(),
  MyLibrarySortOptions: text(),
  EnableBuyWithCredits: off,
  ShowNewsletterControls: off,
  NewsletterSignupText: text(),
  PurchaseCountries: { kind: 'countries' },
  CreditsPerRenewal: { kind: 'number', default: '0' },
  CreditCurrency: text(),
  EnableMblurb: off,
  SubscribeButtonText: text(),
  SubscribeButtonSubText: text(),
  HideFilters: off,
  EnableGiftingTitle: off,
  ShowRelatedTitles: on,
  ShopifyShop: text(),
  StoreUrl: text(),
  StoreUrlAlt: text(),
};

const fits: Record<Kind, (value: string) => boolean> = {
  text: () => true,
  flag: (value) => value === 'true' || value === 'false',
  number: (value) => Number.isFinite(Number(value)),
  countries: (value) => value.startsWith('['),
  links: (value) => value.startsWith('['),
};

/** A property's value as the wire has it: what was set when that is of its kind, else the default. */
export function valueOf(name: string, set: string | undefined): string | undefined {
  const property = Object.hasOwn(storeProperties, name) ? storeProperties[name] : undefined;
  if (!property) return undefined;
  const { kind } = property;
  const value = kind === 'flag' ? set?.trim().toLowerCase() : kind === 'text' ? set : set?.trim();
  const isBlank = value === undefined || value.trim() === '';
  return isBlank || !fits[kind](value) ? (property.default ?? (kind === 'text' ? value : undefined)) : value;
}
