import { isIP } from 'node:net';
import { join, resolve, sep } from 'node:path';
import { isEmail } from '../../machines/model/email.ts';
import {
  DEFAULT_MEDIA_LIFETIME,
  DEFAULT_PASSWORD_COST,
  DEFAULT_SIGN_UPS_PER_HOUR,
  DEFAULT_SMS_PER_COUNTRY_DAY,
  PAINTINGS,
  type AppLink,
  type Painting,
  type TrustedProxies,
} from '../base/config.ts';
import type { DatabaseAddress } from '../database/open.ts';

/** What the environment says of how to run. */
export type Settings = {
  port: number;
  host: string;
  /** where browsers reach the shop, as an origin */
  publicUrl: string | undefined;
  /** the files of a certificate, by which the shop itself speaks HTTPS; undefined speaks HTTP */
  certificate: { cert: string; key: string } | undefined;
  dataFolder: string;
  /** where the files of imported titles are kept */
  titlesFolder: string;
  database: DatabaseAddress;
  /** first screens come painted: not, where that is quick, or always */
  painting: Painting;
  /** proxies in front of the shop, whose forwarding headers are believed */
  trustedProxies: TrustedProxies;
  /** a payment gateway that runs already; undefined lets the shop start one */
  gateway: { origin: string; secret: string } | undefined;
  /** milliseconds after which the payment gateway's answer counts as lost */
  paymentTimeout: number;
  /** lets its bearer change stores while the server runs */
  adminToken: string | undefined;
  /** accounts that may be made in a store from one network address within an hour */
  signUpsPerHour: number;
  /** text messages with codes that a store sends to one country within a day */
  smsPerCountryDay: number;
  /** seconds for which the shop still answers after SIGTERM */
  drainSeconds: number;
  /** seconds for which an address of media opens */
  mediaLifetime: number;
  /** scrypt's cost of a password, a power of two */
  passwordCost: number;
  /** of a service that looks up places, told to the page */
  mapsKey: string | undefined;
  /** where the stores' comments are, as an origin */
  coralHost: string | undefined;
  /** where the questions and answers are of stores that name no place */
  helpUrl: string | undefined;
  /**
   * apps of stores that name none; undefined lets the page search the app stores, empty has no
   * links
   */
  appStoreUrls: AppLink[] | undefined;
  /** the contact address where there is no store */
  supportEmail: string | undefined;
  /** the mail server that takes letters; undefined writes them into the data folder */
  mailUrl: string | undefined;
  /** the address that letters come from */
  mailFrom: string | undefined;
  /** the gateway that takes text messages; undefined writes them into the data folder */
  smsUrl: string | undefined;
  /** the demo store offers the test gateway's sign-in providers */
  testProviders: boolean;
  /** a JSON file that says by whom the customers of which store sign in; undefined leaves that as it is */
  providersFile: string | undefined;
};

/** Load balancers look at `/readyz` every few seconds. */
const DEFAULT_DRAIN_SECONDS = 5;

/** Characters of what nobody may guess. */
const SHORTEST_SECRET = 16;

/** Something in the environment that cannot be run with; the message says what and how to mend it. */
export class BadSetting extends Error {}

function numberOf(environment: NodeJS.ProcessEnv, name: string, otherwise: number, most: number): number {
  const text = environment[name];
  if (text === undefined || text === '') return otherwise;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new BadSetting(`${name} must be a whole number from 0 to ${most}, not "${text}".`);
  return value;
}

/** scrypt's N: memory is 1 KiB times this, so that what is too much for the machine is refused here. */
function passwordCostOf(environment: NodeJS.ProcessEnv): number {
  const cost = numberOf(environment, 'PASSWORD_COST', DEFAULT_PASSWORD_COST, 2 ** 20);
  if (cost < 2 ** 10 || !Number.isInteger(Math.log2(cost)))
    throw new BadSetting(`PASSWORD_COST must be a power of two from 1024 to 1048576, not "${cost}".`);
  return cost;
}

/** An address that has expired before it is used opens nothing. */
function mediaLifetimeOf(environment: NodeJS.ProcessEnv): number {
  const seconds = numberOf(environment, 'MEDIA_LIFETIME', DEFAULT_MEDIA_LIFETIME, 30 * 24 * 60 * 60);
  if (seconds === 0) throw new BadSetting('MEDIA_LIFETIME must be a second at least.');
  return seconds;
}

function paintingOf({ PAINT }: NodeJS.ProcessEnv): Painting {
  const painting = PAINTINGS.find((each) => each === (PAINT || 'on'));
  if (painting === undefined) throw new BadSetting(`PAINT must be on, off or always, not "${PAINT}".`);
  return painting;
}

/** `true` means one proxy; anything but a number is a list of addresses and networks, separated by commas. */
function trustedProxiesOf(environment: NodeJS.ProcessEnv): TrustedProxies {
  const text = environment['TRUST_PROXY'] ?? '';
  if (text === 'true') return 1;
  if (/^-?[\d.]*$/.test(text) && isIP(text) === 0) return numberOf(environment, 'TRUST_PROXY', 0, 10);
  const proxies = text.split(',').map((each) => each.trim());
  if (!proxies.every(isNetwork))
    throw new BadSetting(`TRUST_PROXY must be a number of proxies, or addresses like 10.0.0.7,10.1.0.0/16, not "${text}".`);
  return proxies;
}

/** An IP address, or one with the length of a network's prefix. */
function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    most > 0 &&
    more.length === 0 &&
    (prefix === undefined || (/^\d+$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= most))
  );
}

/** An http(s) origin and nothing more: it goes into the pages' security policy. */
function originOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name];
  if (!text) return undefined;
  const origin = URL.canParse(text) ? new URL(text).origin : '';
  if (!/^https?:/.test(text) || origin !== text.replace(/\/$/, ''))
    throw new BadSetting(`${name} must be like https://books.example, not "${text}".`);
  return origin;
}

/** Its pages believe any address: only for a shop that takes no real money. */
function testProvidersOf({ TEST_PROVIDERS = 'on', PAYMENT_PROVIDER }: NodeJS.ProcessEnv): boolean {
  if (TEST_PROVIDERS !== 'on' && TEST_PROVIDERS !== 'off')
    throw new BadSetting(`TEST_PROVIDERS must be on or off, not "${TEST_PROVIDERS}".`);
  return TEST_PROVIDERS === 'on' && (PAYMENT_PROVIDER || 'test') === 'test';
}

function helpUrlOf({ HELP_URL: text }: NodeJS.ProcessEnv): string | undefined {
  if (!text) return undefined;
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new BadSetting(`HELP_URL must be an address like https://help.example/books, not "${text}".`);
  return text;
}

const APP_STORES: Record<string, AppLink['type']> = { 'play.google.com': 'GooglePlay', 'apps.apple.com': 'Apple' };

/** Addresses in the app stores, separated by commas, or `none`. */
function appStoreUrlsOf({ APP_STORE_URLS: text }: NodeJS.ProcessEnv): AppLink[] | undefined {
  if (!text) return undefined;
  if (text === 'none') return [];
  return text.split(',').map((each) => {
    const url = each.trim();
    const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' };
    const type = protocol === 'https:' ? APP_STORES[hostname] : undefined;
    if (type === undefined)
      throw new BadSetting(
        `APP_STORE_URLS must have addresses of https://play.google.com and https://apps.apple.com separated by commas, or the word none, not "${url}".`,
      );
    return { type, url };
  });
}

/**
 * All in the folder is made private at the start: in one that contains the program, programs would
 * lose the right to be run.
 */
function dataFolderOf(environment: NodeJS.ProcessEnv, root: string): string {
  const folder = resolve(root, environment['DATA_DIR'] || 'data');
  if (`${resolve(root)}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`))
    throw new BadSetting(`DATA_DIR must be a folder for the shop’s data alone, not "${folder}", which contains the program.`);
  return folder;
}

function certificateOf({ TLS_CERT: cert, TLS_KEY: key }: NodeJS.ProcessEnv, root: string): Settings['certificate'] {
  if (!cert && !key) return undefined;
  if (!cert || !key) throw new BadSetting(`TLS_CERT and TLS_KEY go together: ${cert ? 'TLS_KEY' : 'TLS_CERT'} is missing.`);
  return { cert: resolve(root, cert), key: resolve(root, key) };
}

function emailOf(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const text = environment[name] || undefined;
  if (text !== undefined && !isEmail(text)) throw new BadSetting(`${name} must be an e-mail address, not "${text}".`);
  return text;
}

/** Its password is left out of what is said of it. */
function mailUrlOf(environment: NodeJS.ProcessEnv): string | undefined {
  const text = environment['MAIL_URL'] || undefined;
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new BadSetting('MAIL_URL must be like smtps://user:password@mail.example:465.');
  return text;
}

/** Its password is left out of what is said of it. */
function smsUrlOf(environment: NodeJS.ProcessEnv): string | undefined {
  const text = environment['SMS_URL'] || undefined;
  if (text !== undefined && !/^https?:$/.test(URL.parse(text)?.protocol ?? ''))
    throw new BadSetting('SMS_URL must be like https://user:password@sms.example/messages.');
  return text;
}

/** Where a gateway that runs already is, and what the shop shows it. */
function gatewayOf(environment: NodeJS.ProcessEnv): Settings['gateway'] {
  const origin = originOf(environment, 'PAYMENT_GATEWAY_URL');
  const secret = environment['PAYMENT_GATEWAY_SECRET'] ?? '';
  if (origin === undefined && secret === '') return undefined;
  if (origin === undefined)
    throw new BadSetting('PAYMENT_GATEWAY_SECRET is for a gateway at PAYMENT_GATEWAY_URL, which is missing.');
  if (secret.length < SHORTEST_SECRET)
    throw new BadSetting(`PAYMENT_GATEWAY_SECRET must be that of the gateway, of at least ${SHORTEST_SECRET} characters.`);
  return { origin, secret };
}

/**
 * * Reads PORT, HOST, PUBLIC_URL, TLS_CERT, TLS_KEY, DATA_DIR, MEDIA_DIR, DATABASE_URL, PAINT,
 * TRUST_PROXY, PAYMENT_GATEWAY_URL, PAYMENT_GATEWAY_SECRET, PAYMENT_TIMEOUT, SIGN_UPS_PER_HOUR,
 * MEDIA_LIFETIME, PASSWORD_COST, ADMIN_TOKEN, MAPS_KEY, CORAL_HOST, HELP_URL, APP_STORE_URLS,
 * SUPPORT_EMAIL, MAIL_URL, MAIL_FROM, SMS_URL, SMS_PER_COUNTRY_DAY, DRAIN_SECONDS, TEST_PROVIDERS
 * and PROVIDERS_FILE.
 * @throws BadSetting
 */
export function readSettings(environment: NodeJS.ProcessEnv, root: string): Settings {
  const dataFolder = dataFolderOf(environment, root);
  const url = environment['DATABASE_URL'];
  const adminToken = environment['ADMIN_TOKEN'] || undefined;
  if (adminToken !== undefined && adminToken.length < SHORTEST_SECRET)
    throw new BadSetting(`ADMIN_TOKEN must have at least ${SHORTEST_SECRET} characters.`);
  if (url && !/^postgres(?:ql)?:\/\//.test(url)) throw new BadSetting('DATABASE_URL must begin with postgres://.');
  return {
    port: numberOf(environment, 'PORT', 4400, 65535),
    host: environment['HOST'] || '0.0.0.0',
    publicUrl: originOf(environment, 'PUBLIC_URL'),
    certificate: certificateOf(environment, root),
    dataFolder,
    titlesFolder: environment['MEDIA_DIR'] ? resolve(root, environment['MEDIA_DIR']) : join(dataFolder, 'media'),
    database: url ? { kind: 'server', url } : { kind: 'folder', folder: dataFolder },
    painting: paintingOf(environment),
    trustedProxies: trustedProxiesOf(environment),
    gateway: gatewayOf(environment),
    paymentTimeout: numberOf(environment, 'PAYMENT_TIMEOUT', 5000, 600_000),
    adminToken,
    signUpsPerHour: numberOf(environment, 'SIGN_UPS_PER_HOUR', DEFAULT_SIGN_UPS_PER_HOUR, 1_000_000),
    drainSeconds: numberOf(environment, 'DRAIN_SECONDS', DEFAULT_DRAIN_SECONDS, 600),
    smsPerCountryDay: numberOf(environment, 'SMS_PER_COUNTRY_DAY', DEFAULT_SMS_PER_COUNTRY_DAY, 1_000_000),
    mediaLifetime: mediaLifetimeOf(environment),
    passwordCost: passwordCostOf(environment),
    mapsKey: environment['MAPS_KEY'] || undefined,
    coralHost: originOf(environment, 'CORAL_HOST'),
    helpUrl: helpUrlOf(environment),
    appStoreUrls: appStoreUrlsOf(environment),
    supportEmail: emailOf(environment, 'SUPPORT_EMAIL'),
    mailUrl: mailUrlOf(environment),
    mailFrom: emailOf(environment, 'MAIL_FROM'),
    smsUrl: smsUrlOf(environment),
    testProviders: testProvidersOf(environment),
    providersFile: environment['PROVIDERS_FILE'] ? resolve(root, environment['PROVIDERS_FILE']) : undefined,
  };
}
