/** `words` and `html` may be given in each language of the shop. */
type Kind = 'text' | 'words' | 'html' | 'flag' | 'number' | 'countries' | 'links';

/** `isServers`: the page is not told it. */
type Property = { kind: Kind; default?: string; isServers?: true };

const text = (otherwise?: string): Property => ({ kind: 'text', ...(otherwise === undefined ? {} : { default: otherwise }) });
const words = (otherwise?: string): Property => ({ kind: 'words', ...(otherwise === undefined ? {} : { default: otherwise }) });
const html: Property = { kind: 'html' };
const on: Property = { kind: 'flag', default: 'true' };
const off: Property = { kind: 'flag', default: 'false' };

/**
 * Every property of a store except its ShelfId, with its default. If a text has no value and no default, the answer leaves
 * it out. docs/store-properties.md explains what each property does.
 */
export const storeProperties: Record<string, Property> = {
  ShelfName: words('Colophon'),
  ShelfLogo: text(),
  ShelfColor: text(),
  FavIcon: text(),
  AppStoreUrls: { kind: 'links' },
  EnableSubscription: on,
  EnableEbook: on,
  EnableAudioTitle: off,
  EnableVideoTitle: off,
  EbooksDisplayText: words('eBooks'),
  AudioTitlesDisplayText: words('Audio Books'),
  VideoTitlesDisplayText: words('Video Books'),
  TitlesDisplayText: words('Titles'),
  MyCatalogDisplayText: words('My Catalog'),
  About: html,
  TermsOfService: html,
  TermsOfServiceUrl: words(),
  PrivacyPolicy: html,
  PrivacyPolicyUrl: words(),
  SupportEmail: text(),
  ActionAfterPurchaseConfirmation: text(),
  ActionAfterPurchaseConfirmationLinkText: words(),
  CookieConsentUrl: words(),
  ShowCookieConsent: off,
  EnableWebSubscriptionRedeem: on,
  EnableWebTitleRedeem: on,
  SubscriptionMessageHtml: html,
  ShowBuyTitle: on,
  EnableWebReader: on,
  Faq: html,
  EnableTax: off,
  ShowTitlePrice: on,
  CustomCode: html,
  ShowPapertrellBrand: on,
  AllTitlesSortOptions: words(),
  MyLibrarySortOptions: words(),
  EnableBuyWithCredits: off,
  ShowNewsletterControls: off,
  NewsletterSignupText: words(),
  PurchaseCountries: { kind: 'countries' },
  CreditsPerRenewal: { kind: 'number', default: '0' },
  CreditCurrency: words(),
  EnableMblurb: off,
  SubscribeButtonText: words(),
  SubscribeButtonSubText: words(),
  HideFilters: off,
  EnableGiftingTitle: off,
  ShowRelatedTitles: on,
  ShopifyShop: text(),
  StoreUrl: text(),
  StoreUrlAlt: text(),
  SmsCountries: { kind: 'countries', isServers: true },
};

const fits: Record<Kind, (value: string) => boolean> = {
  text: () => true,
  words: () => true,
  html: () => true,
  flag: (value) => value === 'true' || value === 'false',
  number: (value) => Number.isFinite(Number(value)),
  countries: (value) => value.startsWith('['),
  links: (value) => value.startsWith('['),
};

/** Whether a property is HTML of the store's own. */
export const isHtml = (name: string): boolean => storeProperties[name]?.kind === 'html';

/** Whether a property is of words, and may be given in each language. */
export const isOfWords = (name: string): boolean => isHtml(name) || storeProperties[name]?.kind === 'words';

/** The countries of a property of them, by ISO 3166-1; none for a value that is no list. */
export function countriesIn(json: string | undefined): string[] {
  try {
    const read: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(read) ? read.filter((code) => typeof code === 'string').map((code) => code.trim().toUpperCase()) : [];
  } catch {
    return [];
  }
}

const isTextual = (kind: Kind): boolean => ['text', 'words', 'html'].includes(kind);

/** A property's value as the wire has it: what was set when that is of its kind, else the default. */
export function valueOf(name: string, set: string | undefined): string | undefined {
  const property = Object.hasOwn(storeProperties, name) ? storeProperties[name] : undefined;
  if (!property) return undefined;
  const { kind } = property;
  const value = kind === 'flag' ? set?.trim().toLowerCase() : isTextual(kind) ? set : set?.trim();
  const isBlank = value === undefined || value.trim() === '';
  return isBlank || !fits[kind](value) ? (property.default ?? (isTextual(kind) ? value : undefined)) : value;
}
