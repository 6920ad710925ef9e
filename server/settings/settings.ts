import { join, resolve, sep } from 'node:path';
import { forward, partialCheck, pipe, transform, type InferOutput } from 'valibot';
import type { DatabaseAddress } from '../database/open.ts';
import { readVariables } from './read-variables.ts';
import { shopVariables } from './shop-variables.ts';
import { createSchema, type Values } from './variable.ts';

/** Whether a folder contains the program: as the data folder, it would be made private. */
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
        (values) => values.PAYMENT_GATEWAY_URL !== undefined || values.PAYMENT_GATEWAY_SECRET === undefined,
        'PAYMENT_GATEWAY_SECRET requires PAYMENT_GATEWAY_URL, which is missing.',
      ),
      ['PAYMENT_GATEWAY_URL'],
    ),
    forward(
      partialCheck(
        [['PAYMENT_GATEWAY_URL'], ['PAYMENT_GATEWAY_SECRET']],
        (values) => values.PAYMENT_GATEWAY_URL === undefined || values.PAYMENT_GATEWAY_SECRET !== undefined,
        'PAYMENT_GATEWAY_URL requires PAYMENT_GATEWAY_SECRET, which is missing.',
      ),
      ['PAYMENT_GATEWAY_SECRET'],
    ),
  );

const toDatabaseAddress = (url: string | undefined, folder: string): DatabaseAddress =>
  url === undefined ? { kind: 'folder', folder } : { kind: 'server', url };

function toSettings(values: Values<typeof shopVariables>, root: string) {
  const dataFolder = resolve(root, values.DATA_DIR);
  const { TLS_CERT: cert, TLS_KEY: key, PAYMENT_GATEWAY_URL: origin, PAYMENT_GATEWAY_SECRET: secret } = values;
  return {
    port: values.PORT,
    host: values.HOST,
    publicUrl: values.PUBLIC_URL,
    /** the certificate files with which the shop itself serves HTTPS; undefined for HTTP */
    certificate: cert && key ? { cert: resolve(root, cert), key: resolve(root, key) } : undefined,
    dataFolder,
    titlesFolder: values.MEDIA_DIR === undefined ? join(dataFolder, 'media') : resolve(root, values.MEDIA_DIR),
    database: toDatabaseAddress(values.DATABASE_URL, dataFolder),
    ssr: values.SSR_MODE,
    trustedProxies: values.TRUST_PROXY,
    /** an external payment gateway; undefined makes the shop start its own */
    gateway: origin && secret ? { origin, secret } : undefined,
    paymentTimeout: values.PAYMENT_TIMEOUT,
    adminToken: values.ADMIN_TOKEN,
    signUpsPerHour: values.SIGN_UPS_PER_HOUR,
    smsPerCountryDay: values.SMS_PER_COUNTRY_DAY,
    drainSeconds: values.DRAIN_SECONDS,
    mediaLifetime: values.MEDIA_LIFETIME,
    passwordCost: values.PASSWORD_COST,
    mapsKey: values.MAPS_KEY,
    coralHost: values.CORAL_HOST,
    helpUrl: values.HELP_URL,
    /** undefined makes the page search the app stores; an empty list means no links */
    appStoreUrls: values.APP_STORE_URLS,
    supportEmail: values.SUPPORT_EMAIL,
    logLevel: values.LOG_LEVEL,
    /** undefined: text at a terminal, else JSON */
    logFormat: values.LOG_FORMAT,
    mailUrl: values.MAIL_URL,
    mailFrom: values.MAIL_FROM,
    smsUrl: values.SMS_URL,
    testProviders: values.TEST_PROVIDERS === 'on',
    providersFile: values.PROVIDERS_FILE === undefined ? undefined : resolve(root, values.PROVIDERS_FILE),
  };
}

/** @param root the program's folder, which relative paths start from */
export const createSettingsSchema = (root: string) =>
  pipe(
    createVariablesSchema(root),
    transform((values) => toSettings(values, root)),
  );

/** The shop's settings, built from the variables that `shop-variables.ts` describes. */
export type Settings = InferOutput<ReturnType<typeof createSettingsSchema>>;

/** @throws BadSetting */
export const readSettings = (environment: NodeJS.ProcessEnv, root: string): Settings =>
  readVariables(createSettingsSchema(root), shopVariables, environment);
