import { countryCodes } from '../../machines/model/store/countries.ts';
import { countryCodesIn } from '../../machines/model/store/country-list.ts';
import { isEmail } from '../../machines/model/account/email.ts';
import { LIBRARY_SORTS, TITLE_SORTS } from './sort-orders.ts';

const MAX_CREDITS = 1_000_000;

/** Kosovo has no code of ISO 3166-1; this one is in general use. */
const KOSOVO = 'XK';

const isCountry = (code: string): boolean => code === KOSOVO || countryCodes.includes(code);

/** The known countries of a list that a property keeps; none where it is no list. */
export const countriesIn = (kept: string | undefined): string[] => countryCodesIn(kept ?? '').filter(isCountry);

const isCountryList = (value: string): boolean =>
  /^(?:\[[\w\s",]*\]|[\w\s",]*\w[\w\s",]*)$/.test(value) && countryCodesIn(value).every((code) => code === '' || isCountry(code));

/** An http(s) address, whole. */
const isSite = (value: string): boolean => !/\s/.test(value) && /^https?:$/.test(URL.parse(value)?.protocol ?? '');

/** A path of the shop, or an http(s) address. `//host` would be an address without its scheme. */
const isAddress = (value: string): boolean => isSite(value) || /^\/(?!\/)\S*$/.test(value);

/** As `src/client/wire/address.ts` shows it. */
const isPicture = (value: string): boolean =>
  isAddress(value) || (value.length <= 100_000 && /^data:image\/(?:png|jpeg|webp|gif|avif|svg\+xml)[;,]/i.test(value));

/** The items of a JSON list; null where a value is no list. */
function itemsIn(value: string): unknown[] | null {
  try {
    const read: unknown = JSON.parse(value);
    return Array.isArray(read) ? read : null;
  } catch {
    return null;
  }
}

const has = (item: unknown, name: string): unknown =>
  typeof item === 'object' && item !== null ? (Reflect.get(item, name) as unknown) : undefined;

const isApp = (item: unknown): boolean => {
  const url = has(item, 'Url');
  return ['GooglePlay', 'Apple'].includes(String(has(item, 'Type'))) && typeof url === 'string' && isSite(url);
};

/** A list of orders: names, or names with the text that a customer reads. */
const sorts = (names: readonly string[]): Kind => ({
  expected: `a JSON list of orders, each its name or {"text": "Newest", "value": "newest"}; the names are ${names.join(', ')}`,
  fits: (value) => {
    const known = (name: unknown): boolean => typeof name === 'string' && names.includes(name.toLowerCase());
    const isSort = (item: unknown): boolean =>
      known(item) || (typeof has(item, 'text') === 'string' && known(has(item, 'value')));
    return itemsIn(value)?.every(isSort) ?? false;
  },
  isText: true,
  isOfWords: true,
});

/**
 * A type of value. `expected` completes "expected …". Texts are served as they are kept, since the
 * page itself drops what it cannot show; of any other kind, a value that does not fit counts as not
 * set. Words may be given in each language of the shop.
 */
type Kind = { expected: string; fits: (value: string) => boolean; isText?: true; isOfWords?: true };

/** The types of properties, by the names that docs/store-properties.md has for them. */
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
    fits: (value) => itemsIn(value)?.every(isApp) ?? false,
  },
  titleSorts: sorts(TITLE_SORTS),
  librarySorts: sorts(LIBRARY_SORTS),
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
  /** the page does not receive it */
  isServers?: true;
  /** its effect, for docs/store-properties.md */
  says: string;
};

const words = (says: string, otherwise?: string): Property => ({
  kind: 'words',
  says,
  ...(otherwise === undefined ? {} : { default: otherwise }),
});
const html = (says: string): Property => ({ kind: 'html', says });
const on = (says: string): Property => ({ kind: 'boolean', default: 'true', says });
const off = (says: string): Property => ({ kind: 'boolean', default: 'false', says });

/**
 * Every property of a store except its ShelfId, with its default. If a text has no value and no
 * default, the answer leaves it out. `npm run tables` writes them into docs/store-properties.md.
 */
export const storeProperties: Record<string, Property> = {
  ShelfName: words('the shop’s name in window, head and mails', 'Colophon'),
  ShelfLogo: { kind: 'picture', says: 'the picture in the top bar in place of the name' },
  ShelfColor: { kind: 'colour', says: 'the colour of bars and buttons; the footer is 30% darker' },
  FavIcon: { kind: 'picture', says: 'the window’s icon' },
  AppStoreUrls: { kind: 'apps', says: 'links to the apps, and the prompt to open one in the library' },
  EnableSubscription: on('plans, and the Subscribe button'),
  EnableEbook: on('the list of ebooks'),
  EnableAudioTitle: off('the list of audiobooks'),
  EnableVideoTitle: off('the list of videos'),
  EbooksDisplayText: words('what that list is called', 'eBooks'),
  AudioTitlesDisplayText: words('what that list is called', 'Audio Books'),
  VideoTitlesDisplayText: words('what that list is called', 'Video Books'),
  TitlesDisplayText: words('what the list of all titles is called', 'Titles'),
  MyCatalogDisplayText: words('what all that a customer owns is called, in My Library', 'My Catalog'),
  About: html('the page /about'),
  TermsOfService: html('the page /terms'),
  TermsOfServiceUrl: { kind: 'address', says: 'leads from /terms to the store’s own page' },
  PrivacyPolicy: html('the page /privacy'),
  PrivacyPolicyUrl: { kind: 'address', says: 'leads from /privacy to the store’s own page' },
  SupportEmail: { kind: 'email', says: 'links to write to' },
  ActionAfterPurchaseConfirmation: {
    kind: 'receiptLink',
    says: 'where the button of a receipt leads: a path, an address of a host in StoreUrl or StoreUrlAlt, library, viewer or home; an address on another host is refused',
  },
  ActionAfterPurchaseConfirmationLinkText: words('what that button says'),
  CookieConsentUrl: { kind: 'address', says: 'where the cookie notice leads' },
  ShowCookieConsent: off('the cookie notice'),
  EnableWebSubscriptionRedeem: on('codes for subscriptions'),
  EnableWebTitleRedeem: on('codes for titles, and the way to them on a title’s page'),
  SubscriptionMessageHtml: html('words above the plans'),
  ShowBuyTitle: on('the Buy button'),
  EnableWebReader: on('reading and playing in the browser; without it titles point to the apps'),
  Faq: html('help: questions and answers on /about, or an address that Help leads to'),
  EnableTax: off(
    'tax is added to prices, at the rates of `npm run store -- taxes set`, where the customer says to live ([tax](decisions/2026-11-24-tax-on-top.md))',
  ),
  ShowTitlePrice: on('prices, in the shop and in the head'),
  CustomCode: html('HTML of the store’s own on the front page; scripts in it never run'),
  ShowPapertrellBrand: on('the product’s line in the footer'),
  AllTitlesSortOptions: { kind: 'titleSorts', says: 'the orders that lists offer; none hides the choice' },
  MyLibrarySortOptions: { kind: 'librarySorts', says: 'the orders that the library offers' },
  EnableBuyWithCredits: off('that the shop takes credits'),
  ShowNewsletterControls: off('signing up for the newsletter'),
  NewsletterSignupText: words('what it says'),
  PurchaseCountries: {
    kind: 'countries',
    says: 'the countries that the summary of a purchase names, and the only ones that it sells to where tax is added; with the language, in which currency a title is sold: no other is charged',
  },
  CreditsPerRenewal: { kind: 'credits', default: '0', says: 'credits that each renewal of a subscription brings' },
  CreditCurrency: words('what the credits are called'),
  EnableMblurb: off('comments on titles, from the server’s `CORAL_HOST`'),
  SubscribeButtonText: words('what the Subscribe button says'),
  SubscribeButtonSubText: words('the line below it'),
  HideFilters: off('lists without filters'),
  EnableGiftingTitle: off('giving titles to others: an e-mail brings them a link'),
  ShowRelatedTitles: on('titles like this one, on a title’s page'),
  ShopifyShop: { kind: 'shopify', says: 'a link to the store’s Shopify shop' },
  StoreUrl: { kind: 'site', says: 'the store’s own site' },
  StoreUrlAlt: { kind: 'site', says: 'its other site' },
  SmsCountries: { kind: 'countries', isServers: true, says: 'the countries whose telephones get codes to sign in with' },
};

export const isProperty = (name: string): boolean => Object.hasOwn(storeProperties, name);

function kindOf(name: string): Kind | undefined {
  const property = isProperty(name) ? storeProperties[name] : undefined;
  return property && kinds[property.kind];
}

/** Whether a property is HTML of the store's own. */
export const isHtml = (name: string): boolean => storeProperties[name]?.kind === 'html';

/** Whether a property may be given in each language. */
export const isOfWords = (name: string): boolean => kindOf(name)?.isOfWords === true;

/**
 * The expected type, where a value that is kept or given is of another; undefined for a value that
 * fits. A blank text is not a value.
 */
export function expectedInstead(name: string, value: string): string | undefined {
  const kind = kindOf(name);
  if (kind === undefined || (kind.isText && value.trim() === '')) return undefined;
  return kind.fits(value.trim()) ? undefined : kind.expected;
}

/**
 * Where the button of a receipt leads, and the store's own sites, which are the only ones that it
 * may lead to.
 */
export const receiptLinkProperties = ['ActionAfterPurchaseConfirmation', 'StoreUrl', 'StoreUrlAlt'] as const;

/**
 * The address expected of a receipt's button, where it is on a host that is not the store's own:
 * the page then leads to the library instead. Undefined for a host of the store, a path, and a
 * word.
 * @param set a store's properties by name
 */
export function receiptLinkInstead(set: ReadonlyMap<string, string>): string | undefined {
  const [link = '', ...sites] = receiptLinkProperties.map((name) => set.get(name)?.trim() ?? '');
  if (!isSite(link)) return undefined;
  const hosts = sites.filter(isSite).map((site) => new URL(site).host);
  if (hosts.includes(new URL(link).host)) return undefined;
  return `an address on a host of StoreUrl or StoreUrlAlt (${hosts.join(', ') || 'neither is set'})`;
}

/** A kept value as the shop reads it: booleans in lower case, whole credits, known countries. */
function read(kind: KindName, value: string): string | undefined {
  if (kind === 'boolean') return kinds.boolean.fits(value) ? value.trim().toLowerCase() : undefined;
  if (kind === 'credits') return Number.isFinite(Number(value)) ? String(Math.max(0, Math.trunc(Number(value)))) : undefined;
  if (kind === 'countries')
    return isCountryList(value) || countriesIn(value).length > 0 ? JSON.stringify(countriesIn(value)) : undefined;
  if (kind === 'apps') return itemsIn(value) === null ? undefined : value;
  return value;
}

/** A property's value on the wire: the kept one where the shop can read it, else the default. */
export function valueOf(name: string, set: string | undefined): string | undefined {
  const property = isProperty(name) ? storeProperties[name] : undefined;
  if (!property) return undefined;
  if (set === undefined || set.trim() === '') return property.default ?? (kindOf(name)?.isText ? set : undefined);
  return read(property.kind, set) ?? property.default;
}
