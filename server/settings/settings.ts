import { join, resolve, sep } from 'node:path';
import { forward, partialCheck, pipe, transform, type InferOutput } from 'valibot';
import type { DatabaseAddress } from '../database/open.ts';
import { readVariables } from './read-variables.ts';
import { shopVariables } from './shop-variables.ts';
import { schemaOf, type Values } from './variable.ts';

/**
 * Everything in the folder is made private at the start: programs in it would lose the right to be
 * run.
 */
const containsProgram = (folder: string, root: string): boolean =>
  `${resolve(root)}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** The shop's variables, with the rules between them. */
const checkedVariables = (root: string) =>
  pipe(
    schemaOf(shopVariables),
    forward(
      partialCheck(
        [['DATA_DIR']],
        ({ DATA_DIR }) => !containsProgram(resolve(root, DATA_DIR), root),
        ({ input }) =>
          `DATA_DIR must be a folder for the shop’s data alone, not "${resolve(root, input.DATA_DIR)}", which contains the program.`,
      ),
      ['DATA_DIR'],
    ),
    forward(
      partialCheck(
        [['TLS_CERT'], ['TLS_KEY']],
        ({ TLS_CERT, TLS_KEY }) => (TLS_CERT === undefined) === (TLS_KEY === undefined),
        ({ input }) => `TLS_CERT and TLS_KEY go together: ${input.TLS_CERT === undefined ? 'TLS_CERT' : 'TLS_KEY'} is missing.`,
      ),
      ['TLS_CERT'],
    ),
    forward(
      partialCheck(
        [['PAYMENT_GATEWAY_URL'], ['PAYMENT_GATEWAY_SECRET']],
        (given) => given.PAYMENT_GATEWAY_URL !== undefined || given.PAYMENT_GATEWAY_SECRET === undefined,
        'PAYMENT_GATEWAY_SECRET is for a gateway at PAYMENT_GATEWAY_URL, which is missing.',
      ),
      ['PAYMENT_GATEWAY_URL'],
    ),
    forward(
      partialCheck(
        [['PAYMENT_GATEWAY_URL'], ['PAYMENT_GATEWAY_SECRET']],
        (given) => given.PAYMENT_GATEWAY_URL === undefined || given.PAYMENT_GATEWAY_SECRET !== undefined,
        'PAYMENT_GATEWAY_SECRET is missing: PAYMENT_GATEWAY_URL needs the secret of the gateway there.',
      ),
      ['PAYMENT_GATEWAY_SECRET'],
    ),
  );

const databaseOf = (url: string | undefined, folder: string): DatabaseAddress =>
  url === undefined ? { kind: 'folder', folder } : { kind: 'server', url };

function settingsOf(given: Values<typeof shopVariables>, root: string) {
  const dataFolder = resolve(root, given.DATA_DIR);
  const { TLS_CERT: cert, TLS_KEY: key, PAYMENT_GATEWAY_URL: origin, PAYMENT_GATEWAY_SECRET: secret } = given;
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL,
    /** the files by which the shop itself speaks HTTPS; undefined speaks HTTP */
    certificate: cert && key ? { cert: resolve(root, cert), key: resolve(root, key) } : undefined,
    dataFolder,
    titlesFolder: given.MEDIA_DIR === undefined ? join(dataFolder, 'media') : resolve(root, given.MEDIA_DIR),
    database: databaseOf(given.DATABASE_URL, dataFolder),
    painting: given.PAINT,
    trustedProxies: given.TRUST_PROXY,
    /** a payment gateway that runs already; undefined lets the shop start one */
    gateway: origin && secret ? { origin, secret } : undefined,
    paymentTimeout: given.PAYMENT_TIMEOUT,
    adminToken: given.ADMIN_TOKEN,
    signUpsPerHour: given.SIGN_UPS_PER_HOUR,
    smsPerCountryDay: given.SMS_PER_COUNTRY_DAY,
    drainSeconds: given.DRAIN_SECONDS,
    mediaLifetime: given.MEDIA_LIFETIME,
    passwordCost: given.PASSWORD_COST,
    mapsKey: given.MAPS_KEY,
    coralHost: given.CORAL_HOST,
    helpUrl: given.HELP_URL,
    /** undefined lets the page search the app stores; empty has no links */
    appStoreUrls: given.APP_STORE_URLS,
    supportEmail: given.SUPPORT_EMAIL,
    mailUrl: given.MAIL_URL,
    mailFrom: given.MAIL_FROM,
    smsUrl: given.SMS_URL,
    testProviders: given.TEST_PROVIDERS === 'on',
    providersFile: given.PROVIDERS_FILE === undefined ? undefined : resolve(root, given.PROVIDERS_FILE),
  };
}

/** @param root the program's folder, which relative paths start from */
export const shopSettings = (root: string) =>
  pipe(
    checkedVariables(root),
    transform((given) => settingsOf(given, root)),
  );

/** The shop's settings: its variables, which `shop-variables.ts` describes, put together. */
export type Settings = InferOutput<ReturnType<typeof shopSettings>>;

/** @throws BadSetting */
export const readSettings = (environment: NodeJS.ProcessEnv, root: string): Settings =>
  readVariables(shopSettings(root), shopVariables, environment);
