import { join, resolve, sep } from 'node:path';
import { forward, partialCheck, pipe, transform, type InferOutput } from 'valibot';
import type { DatabaseAddress } from '../database/open.ts';
import { readVariables } from './read-variables.ts';
import { shopVariables } from './shop-variables.ts';
import { createSchema, type Values } from './variable.ts';

/** The data folder is made private at the start: programs in it could no longer be run. */
const containsProgram = (folder: string, root: string): boolean =>
  `${resolve(root)}${sep}`.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** The shop's variables, with the rules between them. */
const createVariablesSchema = (root: string) =>
  pipe(
    createSchema(shopVariables),
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
        ({ input }) =>
          `TLS_CERT and TLS_KEY require each other: ${input.TLS_CERT === undefined ? 'TLS_CERT' : 'TLS_KEY'} is missing.`,
      ),
      ['TLS_CERT'],
    ),
    forward(
      partialCheck(
        [['PAYMENT_GATEWAY_URL'], ['PAYMENT_GATEWAY_SECRET']],
        (given) => given.PAYMENT_GATEWAY_URL !== undefined || given.PAYMENT_GATEWAY_SECRET === undefined,
        'PAYMENT_GATEWAY_SECRET requires PAYMENT_GATEWAY_URL, which is missing.',
      ),
      ['PAYMENT_GATEWAY_URL'],
    ),
    forward(
      partialCheck(
        [['PAYMENT_GATEWAY_URL'], ['PAYMENT_GATEWAY_SECRET']],
        (given) => given.PAYMENT_GATEWAY_URL === undefined || given.PAYMENT_GATEWAY_SECRET !== undefined,
        'PAYMENT_GATEWAY_URL requires PAYMENT_GATEWAY_SECRET, which is missing.',
      ),
      ['PAYMENT_GATEWAY_SECRET'],
    ),
  );

const toDatabaseAddress = (url: string | undefined, folder: string): DatabaseAddress =>
  url === undefined ? { kind: 'folder', folder } : { kind: 'server', url };

function toSettings(given: Values<typeof shopVariables>, root: string) {
  const dataFolder = resolve(root, given.DATA_DIR);
  const { TLS_CERT: cert, TLS_KEY: key, PAYMENT_GATEWAY_URL: origin, PAYMENT_GATEWAY_SECRET: secret } = given;
  return {
    port: given.PORT,
    host: given.HOST,
    publicUrl: given.PUBLIC_URL,
    /** the certificate files with which the shop itself serves HTTPS; undefined for HTTP */
    certificate: cert && key ? { cert: resolve(root, cert), key: resolve(root, key) } : undefined,
    dataFolder,
    titlesFolder: given.MEDIA_DIR === undefined ? join(dataFolder, 'media') : resolve(root, given.MEDIA_DIR),
    database: toDatabaseAddress(given.DATABASE_URL, dataFolder),
    ssr: given.SSR_MODE,
    trustedProxies: given.TRUST_PROXY,
    /** an external payment gateway; undefined makes the shop start its own */
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
    /** undefined makes the page search the app stores; an empty list means no links */
    appStoreUrls: given.APP_STORE_URLS,
    supportEmail: given.SUPPORT_EMAIL,
    logLevel: given.LOG_LEVEL,
    /** undefined chooses by where the output goes */
    logFormat: given.LOG_FORMAT,
    mailUrl: given.MAIL_URL,
    mailFrom: given.MAIL_FROM,
    smsUrl: given.SMS_URL,
    testProviders: given.TEST_PROVIDERS === 'on',
    providersFile: given.PROVIDERS_FILE === undefined ? undefined : resolve(root, given.PROVIDERS_FILE),
  };
}

/** @param root the program's folder, which relative paths start from */
export const createSettingsSchema = (root: string) =>
  pipe(
    createVariablesSchema(root),
    transform((given) => toSettings(given, root)),
  );

/** The shop's settings, built from the variables that `shop-variables.ts` describes. */
export type Settings = InferOutput<ReturnType<typeof createSettingsSchema>>;

/** @throws BadSetting */
export const readSettings = (environment: NodeJS.ProcessEnv, root: string): Settings =>
  readVariables(createSettingsSchema(root), shopVariables, environment);
