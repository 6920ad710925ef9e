/** What the server is told from outside; the same for every store it serves. */
export type ServerConfig = {
  /** What the shop writes down beside its database. */
  dataFolder: string;
  /** Media folders of the titles: `{mediaFolder}/{titleId}/…`. */
  mediaFolder: string;
  /** The built storefront; undefined serves the API alone. */
  distFolder: string | undefined;
  /** Where the payment pages are, for the content security policy. */
  paymentOrigins: string[];
  /** Signs the addresses of media; at least 32 bytes, kept between starts so that open readers go on. */
  mediaSecret: Buffer;
  /** scrypt's N, a power of two; it takes 1 KiB of memory times this. Lower only in tests. */
  passwordCost: number;
  /** lets its bearer change stores while the server runs; undefined lets nobody */
  adminToken?: string | undefined;
  /** origin of the service of comments; undefined where there is none */
  coralHost?: string | undefined;
  /** the contact address where there is no store */
  supportEmail?: string | undefined;
  /** accounts that may be made in a store from one network address within an hour */
  signUpsPerHour: number;
};

/** How many proxies stand in front, or the addresses and networks that they have. */
export type TrustedProxies = number | string[];

export const DEFAULT_PASSWORD_COST = 2 ** 16;

/** Generous, since a school or an office may share one network address. */
export const DEFAULT_SIGN_UPS_PER_HOUR = 60;
