import { isIP } from 'node:net';
import { check, optional, pipe, string, transform } from 'valibot';
import {
  DEFAULT_MEDIA_LIFETIME_S,
  DEFAULT_PASSWORD_COST,
  DEFAULT_SIGN_UPS_PER_HOUR,
  DEFAULT_SMS_PER_COUNTRY_DAY,
  SSR_MODES,
  type AppLink,
  type TrustedProxies,
} from '../base/config.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../base/log.ts';
import { emailAddress, matching, oneOf, origin, secret, text, urlOf, wholeNumber, type Variables } from './variable.ts';

const MAX_MEDIA_LIFETIME_S = 30 * 24 * 60 * 60;
const MAX_PER_WINDOW = 1_000_000;
const PASSWORD_COSTS = { min: 2 ** 10, max: 2 ** 20 };

/**
 * Parses scrypt's N. Memory is 1 KiB times N: values that no machine has the memory for are
 * refused.
 */
const passwordCost = pipe(
  string(),
  transform(Number),
  check(
    (cost) => cost >= PASSWORD_COSTS.min && cost <= PASSWORD_COSTS.max && Number.isInteger(Math.log2(cost)),
    `must be a power of two from ${PASSWORD_COSTS.min} to ${PASSWORD_COSTS.max}`,
  ),
);

/** An IP address, or a network in CIDR notation. */
function isNetwork(network: string): boolean {
  const [address = '', prefix, ...extraParts] = network.split('/');
  const maxPrefix = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    maxPrefix > 0 &&
    extraParts.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= maxPrefix))
  );
}

const MAX_PROXIES = 10;
/** Parses a number of proxies; `true` means one proxy. */
const parseProxyCount = (value: string): number => (value === 'true' ? 1 : Number(value));
const isProxyCount = (value: string): boolean => {
  const count = parseProxyCount(value);
  return Number.isInteger(count) && count >= 0 && count <= MAX_PROXIES;
};
const splitList = (list: string): string[] => list.split(',').map((each) => each.trim());

const trustedProxies = pipe(
  string(),
  check(
    (value) => isProxyCount(value) || splitList(value).every(isNetwork),
    `must be a number of proxies up to ${MAX_PROXIES}, or addresses like 10.0.0.7,10.1.0.0/16`,
  ),
  transform((value): TrustedProxies => (isProxyCount(value) ? parseProxyCount(value) : splitList(value))),
);

const APP_STORES: Record<string, AppLink['type']> = { 'play.google.com': 'GooglePlay', 'apps.apple.com': 'Apple' };

const findAppStore = (url: string): AppLink['type'] | undefined => {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' };
  return protocol === 'https:' ? APP_STORES[hostname] : undefined;
};

const parseAppLinks = (list: string): AppLink[] =>
  splitList(list).flatMap((url) => {
    const type = findAppStore(url);
    return type === undefined ? [] : [{ type, url }];
  });

const appStoreUrls = pipe(
  string(),
  check(
    (value) => value === 'none' || splitList(value).every((url) => findAppStore(url) !== undefined),
    'must have addresses of https://play.google.com and https://apps.apple.com separated by commas, or the word none',
  ),
  transform(parseAppLinks),
);

/** The variables of a shop, except those of its payment provider (`payment/providers.ts`). */
export const shopVariables = {
  PORT: { schema: optional(wholeNumber(0, 65535), '4400'), description: 'the port that the shop listens on; 0 takes a free one' },
  HOST: { schema: optional(text, '0.0.0.0'), description: 'the network address that it listens on' },
  DATA_DIR: {
    schema: optional(text, './data'),
    description:
      'the folder of the shop’s data. Everything in it is for the shop’s user alone, under any umask: folders have the mode 0700, ' +
      'files 0600, corrected at each start; [exceptions are named on stderr](decisions/2026-11-26-private-data-folder.md)',
  },
  MEDIA_DIR: {
    schema: optional(text),
    defaultDescription: '`DATA_DIR/media`',
    description: 'where the files of imported titles are kept; shops on one database share it, and run as one user',
  },
  DATABASE_URL: {
    schema: optional(matching(/^postgres(?:ql)?:\/\//, 'must begin with postgres://')),
    isSecret: true,
    description:
      'a PostgreSQL of your own, like `postgres://shop:password@127.0.0.1:5432/shop`; without it an embedded one runs in `DATA_DIR`',
  },
  PUBLIC_URL: {
    schema: optional(origin),
    description:
      'where browsers reach the shop, like `https://books.example`. Links in e-mails, feeds and payments are made of it, of a ' +
      'store’s own host, or, without either, of `localhost` and the machine’s own addresses; without `PUBLIC_URL` with the scheme and ' +
      'port that the shop listens to. A request never adds another. Any other host is refused. A shop that takes real money ' +
      '(`PAYMENT_MODE=live`) does not start without one of the two',
  },
  TLS_CERT: {
    schema: optional(text),
    description:
      'the file of a certificate with its chain (PEM), which needs `TLS_KEY`: the shop itself then speaks HTTPS, HTTP/2 with browsers. ' +
      'A renewed file in its place is loaded within a minute',
  },
  TLS_KEY: { schema: optional(text), description: 'the file of the certificate’s key (PEM)' },
  TRUST_PROXY: {
    schema: optional(trustedProxies, '0'),
    defaultDescription: 'none',
    description:
      'the proxies in front, whose forwarding headers are believed: their addresses and networks, like `10.0.0.7,10.1.0.0/16`, or ' +
      'how many there are; with a number, let only the proxy reach the port',
  },
  SSR_MODE: {
    formerName: 'PAINT',
    schema: optional(oneOf(SSR_MODES), 'on'),
    description:
      'whether first screens are rendered on the server: `on` where that is quick, `always`, or `off` ' +
      '([how](decisions/2026-11-24-server-rendered-first-screens.md))',
  },
  PAYMENT_GATEWAY_URL: {
    schema: optional(origin),
    description: 'a test gateway that runs already, where shops and browsers reach it; without it the shop starts its own',
  },
  PAYMENT_GATEWAY_SECRET: {
    schema: optional(secret),
    isSecret: true,
    description: 'the secret of the gateway at `PAYMENT_GATEWAY_URL`, its `GATEWAY_SECRET`',
  },
  PAYMENT_TIMEOUT: {
    schema: optional(wholeNumber(0, 600_000), '5000'),
    description: 'timeout of the payment gateway’s answer, in milliseconds',
  },
  SIGN_UPS_PER_HOUR: {
    schema: optional(wholeNumber(0, MAX_PER_WINDOW), String(DEFAULT_SIGN_UPS_PER_HOUR)),
    description: 'sign-ups in a store from one network address within an hour; [all limits](rate-limits.md)',
  },
  MEDIA_LIFETIME: {
    // Zero is refused: an address would expire before its use.
    schema: optional(wholeNumber(1, MAX_MEDIA_LIFETIME_S), String(DEFAULT_MEDIA_LIFETIME_S)),
    description:
      'the most seconds for which the address of a title’s content opens, and half of them the least; open readers get another one in ' +
      'time. An address ends sooner with the session or the right to the title ' +
      '([how](decisions/2026-11-26-lifetime-of-media-urls.md))',
  },
  PASSWORD_COST: {
    schema: optional(passwordCost, String(DEFAULT_PASSWORD_COST)),
    description:
      `scrypt’s N, a power of two from ${PASSWORD_COSTS.min} to ${PASSWORD_COSTS.max}: the higher, the harder a password is to guess from its hash, ` +
      'and the slower each sign-in',
  },
  MAPS_KEY: {
    schema: optional(text),
    description: 'the key of a place lookup service, sent to the page in `/config.json`; the shop’s own pages use none',
  },
  CORAL_HOST: {
    schema: optional(origin),
    description: 'the origin of the [Coral](https://coralproject.net) comments on titles, like `https://comments.example`',
  },
  HELP_URL: {
    schema: optional(urlOf(['http:', 'https:'], 'https://help.example/books')),
    defaultDescription: '`/about`',
    description: 'the address of the Help link in stores whose property `Faq` is empty',
  },
  APP_STORE_URLS: {
    schema: optional(appStoreUrls),
    description:
      'the app’s addresses in stores without the property `AppStoreUrls`: of `https://play.google.com` and ' +
      '`https://apps.apple.com`, separated by commas, or `none` where there is no app. Without it, links of an app search both app ' +
      'stores for the store’s name',
  },
  MAIL_URL: {
    schema: optional(urlOf(['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465')),
    isSecret: true,
    description:
      'the mail server for the shop’s e-mails, like `smtps://user:password@mail.example:465` (`smtp://` with a user insists on STARTTLS). ' +
      'Without one they are written into `DATA_DIR/outbox`, a file for each, which mail programs open; files to a customer who ' +
      '[deletes the account](decisions/2026-11-26-e-mails-of-deleted-accounts.md) are removed',
  },
  LOG_LEVEL: {
    schema: optional(oneOf(LOG_LEVELS), 'info'),
    description:
      'the least urgent level of events that are logged: `error` needs an operator, `warn` is retried, `info` has every request ' +
      '(method, route, status, milliseconds) and every payment',
  },
  LOG_FORMAT: {
    schema: optional(oneOf(LOG_FORMATS)),
    defaultDescription: '`text` at a terminal, else `json`',
    description: 'how events are written to the standard output: a JSON object a line, or text for a reader',
  },
  MAIL_FROM: {
    schema: optional(emailAddress),
    defaultDescription: '`no-reply` at the shop’s host',
    description: 'the sender address of e-mails',
  },
  TEST_PROVIDERS: {
    schema: optional(oneOf(['on', 'off']), 'on'),
    description:
      'the demo store offers Facebook, Google, Auth0 and Phone, all but the last by pages of the test gateway, which believe any ' +
      'address. Never with `PAYMENT_PROVIDER` other than `test`; a store that `PROVIDERS_FILE` names keeps its own',
  },
  PROVIDERS_FILE: {
    schema: optional(text),
    description:
      'a JSON file with the providers by which customers of a store sign in beside a password: ' +
      '[sign-in-providers.md](sign-in-providers.md)',
  },
  SMS_URL: {
    schema: optional(urlOf(['http:', 'https:'], 'https://user:password@sms.example/messages')),
    isSecret: true,
    description:
      'the SMS gateway for the codes of sign-ins by telephone, like `https://user:password@sms.example/messages`: each is a ' +
      'POST of `{"to": "+447700900123", "text": "…"}`. Without one they are written into `DATA_DIR/outbox`',
  },
  SMS_PER_COUNTRY_DAY: {
    schema: optional(wholeNumber(0, MAX_PER_WINDOW), String(DEFAULT_SMS_PER_COUNTRY_DAY)),
    description:
      'codes that a store sends by text message to one country within a day; as many again to customers on browsers that they have ' +
      'signed in on, and as many again to accounts whose number strangers have asked for too often. One network asks for 60 at most. ' +
      'A store’s property `SmsCountries` says to which countries',
  },
  DRAIN_SECONDS: {
    // The default covers load balancers that check `/readyz` every few seconds.
    schema: optional(wholeNumber(0, 600), '5'),
    description:
      'seconds after SIGTERM for which the shop still answers, and `/readyz` says 503, so that load balancers send customers elsewhere. ' +
      'Running requests then have 20 s to finish. Ctrl-C stops at once after running requests',
  },
  SUPPORT_EMAIL: { schema: optional(emailAddress), description: 'the contact address on hosts that belong to no store' },
  ADMIN_TOKEN: {
    schema: optional(secret),
    isSecret: true,
    description:
      'lets its bearer change a store while it runs ([store-properties.md](store-properties.md)), and `npm run store` ask it; ' +
      '16 characters or more',
  },
} as const satisfies Variables;
