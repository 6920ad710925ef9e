import { countryCodes } from '../../machines/model/store/countries.ts';
import { parseCountryCodes } from '../../machines/model/store/country-list.ts';
import { isEmail } from '../../machines/model/account/email.ts';
import { LIBRARY_SORTS, TITLE_SORTS } from './sort-orders.ts';

const MAX_CREDITS = 1_000_000;

/** ISO 3166-1 has no code for Kosovo; this one is in general use. */
const KOSOVO = 'XK';

const isCountry = (code: string): boolean => code === KOSOVO || countryCodes.includes(code);

/** The known countries in a stored list; empty where the value is not a list. */
export const parseCountries = (storedValue: string | undefined): string[] =>
  parseCountryCodes(storedValue ?? '').filter(isCountry);

const isCountryList = (value: string): boolean =>
  /^(?:\[[\w\s",]*\]|[\w\s",]*\w[\w\s",]*)$/.test(value) &&
  parseCountryCodes(value).every((code) => code === '' || isCountry(code));

/** Whether a value is a complete http(s) URL. */
const isSite = (value: string): boolean => !/\s/.test(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** Whether a value is a path of the shop or an http(s) URL; `//host` is a URL without a scheme. */
const isAddress = (value: string): boolean => isSite(value) || /^\/(?!\/)\S*$/.test(value);

/** Whether a value is the address of a picture, as `src/client/wire/address.ts` accepts it. */
const isPicture = (value: string): boolean =>
  isAddress(value) || (value.length <= 100_000 && /^data:image\/(?:png|jpeg|webp|gif|avif|svg\+xml)[;,]/i.test(value));

/** The items of a JSON list; null where the value is not a list. */
function parseItems(value: string): unknown[] | null {
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

const getField = (item: unknown, name: string): unknown =>
  typeof item === 'object' && item !== null ? (Reflect.get(item, name) as unknown) : undefined;

const isApp = (item: unknown): boolean => {
  const url = getField(item, 'Url');
  return ['GooglePlay', 'Apple'].includes(String(getField(item, 'Type'))) && typeof url === 'string' && isSite(url);
};

/** A list of sort orders: names, or names with the text that customers read. */
const createSortsKind = (names: readonly string[]): Kind => ({
  expected: `a JSON list of orders, each its name or {"text": "Newest", "value": "newest"}; the names are ${names.join(', ')}`,
  fits: (value) => {
    const isKnownName = (name: unknown): boolean => typeof name === 'string' && names.includes(name.toLowerCase());
    const isSort = (item: unknown): boolean =>
      isKnownName(item) || (typeof getField(item, 'text') === 'string' && isKnownName(getField(item, 'value')));
    return parseItems(value)?.every(isSort) ?? false;
  },
  isText: true,
  isOfWords: true,
});

/**
 * A type of value. `expected` completes "expected …". Values with `isText` are served as stored,
 * since the page itself drops what it cannot show; an invalid value of any other type counts as not
 * set. Values with `isOfWords` may be given in each language of the shop.
 */
type Kind = { expected: string; fits: (value: string) => boolean; isText?: true; isOfWords?: true };

/** The types of properties, by their names in docs/store-properties.md. */
export const kinds = {
  words: { expected: 'a text', fits: () => true, isText: true, isOfWords: true },
  html: { expected: 'a text, which may have HTML', fits: () => true, isText: true, isOfWords: true },
  boolean: { expected: 'true or false', fits: (value) => /^\s*(?:true|false)\s*$/i.test(value) },
  colour: {
    expected: 'a colour in hexadecimal, like #7a2e4d',
    fits: (value) => /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(value),
    isText: true,
  },
  credits: {
    expected: `a whole number from 0 to ${MAX_CREDITS}`,
    fits: (value) => /^\s*\d{1,7}\s*$/.test(value) && Number(value) <= MAX_CREDITS,
  },
  countries: { expected: 'a list of country codes (ISO 3166-1), such as GB, IE or ["GB", "IE"]', fits: isCountryList },
  address: {
    expected: 'a path like /terms, or an address like https://books.example/terms',
    fits: isAddress,
    isText: true,
    isOfWords: true,
  },
  site: { expected: 'an address like https://books.example', fits: isSite, isText: true },
  picture: {
    expected: 'a path like /media/logo.svg, an address like https://books.example/logo.svg, or a picture as data:image/…',
    fits: isPicture,
    isText: true,
  },
  email: { expected: 'an e-mail address like help@books.example', fits: isEmail, isText: true },
  apps: {
    expected: 'a JSON list of {"Type": "Apple" or "GooglePlay", "Url": "https://…"}',
    fits: (value) => parseItems(value)?.every(isApp) ?? false,
  },
  titleSorts: createSortsKind(TITLE_SORTS),
  librarySorts: createSortsKind(LIBRARY_SORTS),
  receiptLink: {
    expected: 'library, viewer, home, a path like /all, or an address like https://books.example',
    fits: (value) => /^(?:library|viewer|home)$/i.test(value) || isAddress(value),
    isText: true,
  },
  shopify: {
    expected: 'the name of a Shopify shop like quay, or its address like https://quay.myshopify.com',
    fits: (value) => /^[a-z0-9][a-z0-9-]*(?:\.myshopify\.com)?$/i.test(value) || (isSite(value) && /^https:/i.test(value)),
    isText: true,
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;

type Property = {
  kind: KindName;
  default?: string;
  /** not sent to the page */
  isServerOnly?: true;
  /** its effect, for docs/store-properties.md */
  description: string;
};

const createWordsProperty = (description: string, defaultText?: string): Property => ({
  kind: 'words',
  description,
  ...(defaultText === undefined ? {} : { default: defaultText }),
});
const createHtmlProperty = (description: string): Property => ({ kind: 'html', description });
const createOnProperty = (description: string): Property => ({ kind: 'boolean', default: 'true', description });
const createOffProperty = (description: string): Property => ({ kind: 'boolean', default: 'false', description });

/**
 * Every property of a store except its ShelfId, with its default. If a text has no value and no
 * default, the answer leaves it out. `npm run tables` writes them into docs/store-properties.md.
 */
export const propertyDefinitions: Record<string, Property> = {
  ShelfName: createWordsProperty('the shop’s name in the window, the head and e-mails', 'Colophon'),
  ShelfLogo: { kind: 'picture', description: 'the picture in the top bar in place of the name' },
  ShelfColor: { kind: 'colour', description: 'the colour of bars and buttons; the footer is 30% darker' },
  FavIcon: { kind: 'picture', description: 'the window’s icon' },
  AppStoreUrls: { kind: 'apps', description: 'links to the apps, and the prompt to open one in the library' },
  EnableSubscription: createOnProperty('plans, and the Subscribe button'),
  EnableEbook: createOnProperty('the list of ebooks'),
  EnableAudioTitle: createOffProperty('the list of audiobooks'),
  EnableVideoTitle: createOffProperty('the list of videos'),
  EbooksDisplayText: createWordsProperty('the name of that list', 'eBooks'),
  AudioTitlesDisplayText: createWordsProperty('the name of that list', 'Audio Books'),
  VideoTitlesDisplayText: createWordsProperty('the name of that list', 'Video Books'),
  TitlesDisplayText: createWordsProperty('the name of the list of all titles', 'Titles'),
  MyCatalogDisplayText: createWordsProperty('the name of the list of all owned titles in My Library', 'My Catalog'),
  About: createHtmlProperty('the page /about'),
  TermsOfService: createHtmlProperty('the page /terms'),
  TermsOfServiceUrl: { kind: 'address', description: 'links from /terms to the store’s own page' },
  PrivacyPolicy: createHtmlProperty('the page /privacy'),
  PrivacyPolicyUrl: { kind: 'address', description: 'links from /privacy to the store’s own page' },
  SupportEmail: { kind: 'email', description: 'the contact address in links' },
  ActionAfterPurchaseConfirmation: {
    kind: 'receiptLink',
    description:
      'the target of a receipt’s button: a path, an address of a host in StoreUrl or StoreUrlAlt, library, viewer or home; an address on another host is refused',
  },
  ActionAfterPurchaseConfirmationLinkText: createWordsProperty('the text of that button'),
  CookieConsentUrl: { kind: 'address', description: 'the target of the cookie notice’s link' },
  ShowCookieConsent: createOffProperty('the cookie notice'),
  EnableWebSubscriptionRedeem: createOnProperty('codes for subscriptions'),
  EnableWebTitleRedeem: createOnProperty('codes for titles, and the link to them on a title’s page'),
  SubscriptionMessageHtml: createHtmlProperty('text above the plans'),
  ShowBuyTitle: createOnProperty('the Buy button'),
  EnableWebReader: createOnProperty('reading and playing in the browser; without it titles link to the apps'),
  Faq: createHtmlProperty('help: questions and answers on /about, or the address of the Help link'),
  EnableTax: createOffProperty(
    'tax is added to prices, at the rates of `npm run store -- taxes set`, in the customer’s country of residence ([tax](decisions/2026-11-24-tax-on-top.md))',
  ),
  ShowTitlePrice: createOnProperty('prices, in the shop and in the head'),
  CustomCode: createHtmlProperty('the store’s own HTML on the front page; its scripts never run'),
  ShowPapertrellBrand: createOnProperty('the product’s line in the footer'),
  AllTitlesSortOptions: { kind: 'titleSorts', description: 'the sort orders of lists; an empty list hides the choice' },
  MyLibrarySortOptions: { kind: 'librarySorts', description: 'the sort orders of the library' },
  EnableBuyWithCredits: createOffProperty('buying titles with credits'),
  ShowNewsletterControls: createOffProperty('signing up for the newsletter'),
  NewsletterSignupText: createWordsProperty('its text'),
  PurchaseCountries: {
    kind: 'countries',
    description:
      'the countries in the summary of a purchase, and the only ones that it sells to where tax is added; with the language, they decide the currency of a title: no other is charged',
  },
  CreditsPerRenewal: { kind: 'credits', default: '0', description: 'credits given with each renewal of a subscription' },
  CreditCurrency: createWordsProperty('the name of the credits'),
  EnableMblurb: createOffProperty('comments on titles, from the server’s `CORAL_HOST`'),
  SubscribeButtonText: createWordsProperty('the text of the Subscribe button'),
  SubscribeButtonSubText: createWordsProperty('the line below it'),
  HideFilters: createOffProperty('lists without filters'),
  EnableGiftingTitle: createOffProperty('giving titles to others, who get a link by e-mail'),
  ShowRelatedTitles: createOnProperty('titles like this one, on a title’s page'),
  ShopifyShop: { kind: 'shopify', description: 'a link to the store’s Shopify shop' },
  StoreUrl: { kind: 'site', description: 'the store’s own site' },
  StoreUrlAlt: { kind: 'site', description: 'its other site' },
  SmsCountries: {
    kind: 'countries',
    isServerOnly: true,
    description: 'the countries to whose telephones sign-in codes are sent',
  },
};

export const isProperty = (name: string): boolean => Object.hasOwn(propertyDefinitions, name);

function getKind(name: string): Kind | undefined {
  const property = isProperty(name) ? propertyDefinitions[name] : undefined;
  return property && kinds[property.kind];
}

/** Whether a property is HTML of the store's own. */
export const isHtml = (name: string): boolean => propertyDefinitions[name]?.kind === 'html';

/** Whether a property may be given in each language. */
export const isTranslatable = (name: string): boolean => getKind(name)?.isOfWords === true;

/**
 * The expected type, where a value is of another type; undefined for a valid value. A blank text
 * counts as no value.
 */
export function findExpectedType(name: string, value: string): string | undefined {
  const kind = getKind(name);
  if (kind === undefined || (kind.isText && value.trim() === '')) return undefined;
  return kind.fits(value.trim()) ? undefined : kind.expected;
}

/**
 * The link of a receipt's button, and the store's own sites, the only hosts that it may point to.
 */
export const receiptLinkProperties = ['ActionAfterPurchaseConfirmation', 'StoreUrl', 'StoreUrlAlt'] as const;

/**
 * The expected address of a receipt's button, where it is on a foreign host: the page then links to
 * the library instead. Undefined for a host of the store, a path, and a keyword.
 * @param storedValues a store's properties by name
 */
export function findExpectedReceiptLink(storedValues: ReadonlyMap<string, string>): string | undefined {
  const [link = '', ...sites] = receiptLinkProperties.map((name) => storedValues.get(name)?.trim() ?? '');
  if (!isSite(link)) return undefined;
  const hosts = sites.filter(isSite).map((site) => new URL(site).host);
  if (hosts.includes(new URL(link).host)) return undefined;
  return `an address on a host of StoreUrl or StoreUrlAlt (${hosts.join(', ') || 'neither is set'})`;
}

/** Normalises a stored value: booleans in lower case, whole credits, known countries. */
function normalizeValue(kind: KindName, value: string): string | undefined {
  if (kind === 'boolean') return kinds.boolean.fits(value) ? value.trim().toLowerCase() : undefined;
  if (kind === 'credits') return Number.isFinite(Number(value)) ? String(Math.max(0, Math.trunc(Number(value)))) : undefined;
  if (kind === 'countries')
    return isCountryList(value) || parseCountries(value).length > 0 ? JSON.stringify(parseCountries(value)) : undefined;
  if (kind === 'apps') return parseItems(value) === null ? undefined : value;
  return value;
}

/** A property's value on the wire: the stored one where it is valid, else the default. */
export function toWireValue(name: string, storedValue: string | undefined): string | undefined {
  const property = isProperty(name) ? propertyDefinitions[name] : undefined;
  if (!property) return undefined;
  if (storedValue === undefined || storedValue.trim() === '')
    return property.default ?? (getKind(name)?.isText ? storedValue : undefined);
  return normalizeValue(property.kind, storedValue) ?? property.default;
}
