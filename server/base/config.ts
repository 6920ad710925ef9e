/** Where an app can be downloaded. */
export type AppLink = { type: 'GooglePlay' | 'Apple'; url: string };

/** What the server is told from outside; the same for every store it serves. */
export type ServerConfig = {
  /** What the shop writes down beside its database. */
  dataFolder: string;
  /** Media of the demo stores, and pictures of stores: `{mediaFolder}/{titleId}/…`. */
  mediaFolder: string;
  /** Media of titles that were imported: `{titlesFolder}/{storeId}/{titleId}/…`; shops on one database share it. */
  titlesFolder: string;
  /** The built storefront; undefined serves the API alone. */
  distFolder: string | undefined;
  /** Whether first screens come painted where visitors may see them; left out, as for `on`. */
  painting?: Painting;
  /** Where the payment pages are, for the content security policy. */
  paymentOrigins: string[];
  /** Payments are real; left out, they are tries. */
  paymentLiveMode?: boolean;
  /** of the payment provider, for programs that run in the browser */
  paymentPublicKey?: string | undefined;
  /** of a service that looks up places, for programs that run in the browser */
  mapsKey?: string | undefined;
  /** Signs the addresses of media; at least 32 bytes, kept between starts so that open readers go on. */
  mediaSecret: Buffer;
  /** Seconds for which an address of media opens; readers get another one in time. */
  mediaLifetime: number;
  /**
   * milliseconds for which the right to read a title counts as it was read: so long does an address
   * outlive it
   */
  mediaRightsFreshness: number;
  /** scrypt's N, a power of two; it takes 1 KiB of memory times this. Lower only in tests. */
  passwordCost: number;
  /** lets its bearer change stores while the server runs; undefined lets nobody */
  adminToken?: string | undefined;
  /** origin of the service of comments; undefined where there is none */
  coralHost?: string | undefined;
  /** where the questions and answers are of stores that name no place */
  helpUrl?: string | undefined;
  /** where the app is of stores that name none; undefined lets the page look in the app stores */
  appStoreUrls?: AppLink[] | undefined;
  /** the address that letters come from; undefined for `no-reply` at the store's host */
  mailFrom?: string | undefined;
  /** the contact address where there is no store */
  supportEmail?: string | undefined;
  /** where browsers reach the shop, as an origin; undefined where it is tried out under `localhost` or a machine's address */
  publicUrl?: string | undefined;
  /** milliseconds for which a store is taken as it was read: so long may changes by other processes go unseen */
  storeFreshness: number;
  /** bytes of answers that are kept since they are the same for everybody; 0 keeps none */
  sharedAnswerBytes: number;
  /** accounts that may be made in a store from one network address within an hour */
  signUpsPerHour: number;
  /**
   * text messages with codes that a store sends to one country within a day; as many again to
   * customers’ known devices
   */
  smsPerCountryDay: number;
};

/** `on` sends a page plain that is not painted soon; `always` waits for it; `off` sends every page plain. */
export const PAINTINGS = ['on', 'off', 'always'] as const;
export type Painting = (typeof PAINTINGS)[number];

/** How many proxies stand in front, or the addresses and networks that they have. */
export type TrustedProxies = number | string[];

export const DEFAULT_PASSWORD_COST = 2 ** 16;

export const DEFAULT_STORE_FRESHNESS = 1000;

export const DEFAULT_SHARED_ANSWER_BYTES = 64 * 2 ** 20;

/** Half a day. */
export const DEFAULT_MEDIA_LIFETIME = 12 * 60 * 60;

/** Part of the minute within which a right ends; `publication/routes.ts` has the sum. */
export const DEFAULT_MEDIA_RIGHTS_FRESHNESS = 20_000;

/**
 * Bounds what a fraud with premium numbers can cost; a store with many sign-ins by telephone
 * raises it.
 */
export const DEFAULT_SMS_PER_COUNTRY_DAY = 500;

/** Generous, since a school or an office may share one network address. */
export const DEFAULT_SIGN_UPS_PER_HOUR = 60;
