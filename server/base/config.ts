/** A download link for an app. */
export type AppLink = { type: 'GooglePlay' | 'Apple'; url: string };

/** The server's configuration from outside; the same for every store that it serves. */
export type ServerConfig = {
  /** Files that the shop writes beside its database. */
  dataFolder: string;
  /**
   * Media of the demo stores (`{mediaFolder}/{titleId}/…`), and pictures of stores
   * (`{mediaFolder}/store/{storeId}/…`).
   */
  mediaFolder: string;
  /** Imported media: `{titlesFolder}/{storeId}/{titleId}/…`; shops on one database share it. */
  titlesFolder: string;
  /** The built storefront; undefined serves only the API. */
  distFolder: string | undefined;
  /** Whether first screens are server-rendered; left out, as for `on`. */
  ssr?: RenderingMode;
  /** Origins of the payment pages, for the Content Security Policy. */
  paymentOrigins: string[];
  /** Whether payments are real; left out, they are test payments. */
  paymentLiveMode?: boolean;
  /** public key of the payment provider, for scripts in the browser */
  paymentPublicKey?: string | undefined;
  /** key of the place lookup service, for scripts in the browser */
  mapsKey?: string | undefined;
  /**
   * Signs the addresses of media; at least 32 bytes, the same across restarts so that open readers
   * keep working.
   */
  mediaSecret: Buffer;
  /** Lifetime of a media address in seconds; readers renew it in time. */
  mediaLifetime: number;
  /**
   * milliseconds for which a reading right is cached: part of the time for which an address can
   * outlive it
   */
  mediaRightsFreshness: number;
  /** scrypt's N, a power of two; it takes 1 KiB of memory times this. Lower only in tests. */
  passwordCost: number;
  /** token that allows changing stores while the server runs; undefined disables these routes */
  adminToken?: string | undefined;
  /** origin of the comments service; undefined without comments */
  coralHost?: string | undefined;
  /** help page of stores that have none of their own */
  helpUrl?: string | undefined;
  /**
   * app links of stores that have none of their own; undefined lets the page look in the app stores
   */
  appStoreUrls?: AppLink[] | undefined;
  /** sender address of e-mails; undefined for `no-reply` at the store's host */
  mailFrom?: string | undefined;
  /** the contact address of stores that have none */
  supportEmail?: string | undefined;
  /**
   * public origin of the shop; undefined where it is tried out under `localhost` or a machine's
   * address
   */
  publicUrl?: string | undefined;
  /**
   * milliseconds for which a store is cached: changes by other processes may go unseen for so long
   */
  storeFreshness: number;
  /** size in bytes of the cache for answers that are the same for all visitors; 0 disables it */
  sharedAnswerBytes: number;
  /** accounts that may be made in a store from one network address within an hour */
  signUpsPerHour: number;
  /**
   * text messages with codes that a store sends to one country within a day; as many again to
   * customers’ known devices
   */
  smsPerCountryDay: number;
};

/**
 * `on` sends the page without a server-rendered screen when rendering takes too long; `always`
 * waits for it; `off` never renders.
 */
export const SSR_MODES = ['on', 'off', 'always'] as const;
export type RenderingMode = (typeof SSR_MODES)[number];

/** The number of proxies in front, or their addresses and networks. */
export type TrustedProxies = number | string[];

export const DEFAULT_PASSWORD_COST = 2 ** 16;

export const DEFAULT_STORE_CACHE_MS = 1000;

export const DEFAULT_SHARED_ANSWER_BYTES = 64 * 2 ** 20;

/** Half a day. */
export const DEFAULT_MEDIA_LIFETIME_S = 12 * 60 * 60;

/**
 * The cache's share of the minute within which a revoked right takes effect;
 * `publication/routes.ts` has the sum.
 */
export const DEFAULT_MEDIA_RIGHTS_CACHE_MS = 20_000;

/**
 * Limits the cost of fraud with premium numbers; a store with many sign-ins by telephone raises it.
 */
export const DEFAULT_SMS_PER_COUNTRY_DAY = 500;

/** Generous, since a school or an office may share one network address. */
export const DEFAULT_SIGN_UPS_PER_HOUR = 60;
