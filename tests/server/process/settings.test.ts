import { describe, expect, test } from 'vitest';
import { BadSetting } from '../../../server/settings/bad-setting.ts';
import { findMisspeltVariables } from '../../../server/settings/read-variables.ts';
import { readSettings } from '../../../server/settings/settings.ts';
import { readEnvironment, variables } from '../../../server/setup/environment.ts';

const parseSettings = (environment: Record<string, string>) => readSettings(environment, '/shop');

test('unset variables have defaults', () => {
  expect(parseSettings({})).toEqual({
    port: 4400,
    host: '0.0.0.0',
    dataFolder: '/shop/data',
    titlesFolder: '/shop/data/media',
    database: { kind: 'folder', folder: '/shop/data' },
    trustedProxies: 0,
    paymentTimeout: 5000,
    signUpsPerHour: 60,
    smsPerCountryDay: 500,
    drainSeconds: 5,
    logLevel: 'info',
    mediaLifetime: 43200,
    ssr: 'on',
    passwordCost: 65536,
    testProviders: true,
  });
});

test('a former name of a variable still works, with a warning', () => {
  expect(parseSettings({ PAINT: 'off' }).ssr).toBe('off');
  expect(parseSettings({ PAINT: 'off', SSR_MODE: 'always' }).ssr).toBe('always');
  expect(findMisspeltVariables(variables, { PAINT: 'off' })).toEqual(['PAINT is called SSR_MODE now. The old name still works.']);
});

test('set variables are parsed', () => {
  const settings = parseSettings({
    PORT: '80',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://shop.example/',
    TLS_CERT: 'tls/cert.pem',
    TLS_KEY: '/kept/key.pem',
    DATA_DIR: '/kept',
    MEDIA_DIR: 'files',
    DATABASE_URL: 'postgres://database/shop',
    TRUST_PROXY: '2',
    PAYMENT_GATEWAY_URL: 'https://pay.example',
    PAYMENT_GATEWAY_SECRET: 'of the gateway alone',
    PAYMENT_TIMEOUT: '900',
    SIGN_UPS_PER_HOUR: '5',
    SMS_PER_COUNTRY_DAY: '20',
    DRAIN_SECONDS: '30',
    SSR_MODE: 'off',
    MEDIA_LIFETIME: '60',
    PASSWORD_COST: '2048',
    ADMIN_TOKEN: 'sixteen letters!',
    MAPS_KEY: 'the key of the maps',
    CORAL_HOST: 'https://comments.example/',
    HELP_URL: 'https://help.example/books?all',
    APP_STORE_URLS: 'https://play.google.com/store/apps/details?id=books, https://apps.apple.com/app/id1',
    TEST_PROVIDERS: 'off',
    SMS_URL: 'https://user:password@sms.example/messages',
    PROVIDERS_FILE: 'kept/providers.json',
  });
  expect(settings).toEqual({
    port: 80,
    host: '127.0.0.1',
    publicUrl: 'https://shop.example',
    certificate: { cert: '/shop/tls/cert.pem', key: '/kept/key.pem' },
    dataFolder: '/kept',
    titlesFolder: '/shop/files',
    database: { kind: 'server', url: 'postgres://database/shop' },
    trustedProxies: 2,
    gateway: { origin: 'https://pay.example', secret: 'of the gateway alone' },
    paymentTimeout: 900,
    signUpsPerHour: 5,
    smsPerCountryDay: 20,
    drainSeconds: 30,
    logLevel: 'info',
    mediaLifetime: 60,
    ssr: 'off',
    passwordCost: 2048,
    adminToken: 'sixteen letters!',
    mapsKey: 'the key of the maps',
    coralHost: 'https://comments.example',
    helpUrl: 'https://help.example/books?all',
    appStoreUrls: [
      { type: 'GooglePlay', url: 'https://play.google.com/store/apps/details?id=books' },
      { type: 'Apple', url: 'https://apps.apple.com/app/id1' },
    ],
    smsUrl: 'https://user:password@sms.example/messages',
    testProviders: false,
    providersFile: '/shop/kept/providers.json',
  });
});

test('APP_STORE_URLS=none means that the shop has no app', () => {
  expect(parseSettings({ APP_STORE_URLS: 'none' }).appStoreUrls).toEqual([]);
});

test.each([
  ['true', 1],
  ['3', 3],
  ['10.0.0.7', ['10.0.0.7']],
  ['10.0.0.7, 10.1.0.0/16,fd00::/8', ['10.0.0.7', '10.1.0.0/16', 'fd00::/8']],
])('TRUST_PROXY=%s sets the trusted proxies', (value, expected) => {
  expect(parseSettings({ TRUST_PROXY: value }).trustedProxies).toEqual(expected);
});

test.each([
  ['PORT', '65536'],
  ['PAYMENT_TIMEOUT', 'long'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '-1'],
  ['TRUST_PROXY', '10.0.0.0/0'],
  ['TRUST_PROXY', '10.0.0.7,proxy'],
  ['PAYMENT_GATEWAY_URL', 'pay.example'],
  ['PAYMENT_GATEWAY_SECRET', 'of no gateway at all'],
  ['SIGN_UPS_PER_HOUR', '-1'],
  ['SMS_PER_COUNTRY_DAY', 'many'],
  ['DRAIN_SECONDS', '-1'],
  ['MEDIA_LIFETIME', '0'],
  ['PASSWORD_COST', '3000'],
  ['PASSWORD_COST', '512'],
  ['ADMIN_TOKEN', 'guessable'],
  ['DATABASE_URL', 'mysql://database/shop'],
  ['DATA_DIR', '/'],
  ['DATA_DIR', '/shop'],
  ['DATA_DIR', '../shop/'],
  ['PUBLIC_URL', 'shop.example'],
  ['PUBLIC_URL', 'https://shop.example/books'],
  ['SMS_URL', 'sms.example'],
  ['TLS_CERT', 'cert.pem'],
  ['TLS_KEY', 'key.pem'],
  ['SSR_MODE', 'sometimes'],
  ['CORAL_HOST', 'comments.example'],
  ['TEST_PROVIDERS', 'yes'],
  ['HELP_URL', 'javascript:alert(1)'],
  ['APP_STORE_URLS', 'https://apps.apple.com/app/id1,https://apps.example/books'],
  ['CORAL_HOST', 'https://comments.example/a; script-src *'],
  ['CORAL_HOST', 'javascript:alert(1)'],
])('the setting %s=%s is refused, with its name in the error', (name, value) => {
  expect(() => parseSettings({ [name]: value })).toThrow(BadSetting);
  expect(() => parseSettings({ [name]: value })).toThrow(name);
});

/** @returns the lines of the error about invalid settings, none for valid settings */
function findProblems(environment: Record<string, string>): string[] {
  try {
    readEnvironment(environment, '/shop');
  } catch (error) {
    if (error instanceof BadSetting) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('all problems are reported together, also those of a payment provider, each with name, value and expected form', () => {
  const problems = findProblems({
    PORT: 'eighty',
    PUBLIC_URL: 'shop.example',
    TLS_CERT: 'cert.pem',
    MAIL_FROM: 'shop',
    PAYMENT_PROVIDER: 'stripe',
    PAYMENT_MODE: 'live',
    STRIPE_SECRET_KEY: 'sk_test_1',
  });
  expect(problems).toEqual([
    'PORT must be a whole number from 0 to 65535, not "eighty".',
    'PUBLIC_URL must be like https://books.example, not "shop.example".',
    'MAIL_FROM must be an e-mail address, not "shop".',
    'TLS_CERT and TLS_KEY require each other: TLS_KEY is missing.',
    'STRIPE_SECRET_KEY is a test key: PAYMENT_MODE=live needs a live key.',
    'STRIPE_WEBHOOK_SECRET is missing: PAYMENT_PROVIDER=stripe needs it.',
  ]);
});

test('an error of a variable with two parts is reported once', () => {
  expect(findProblems({ PAYMENT_GATEWAY_URL: 'pay.example' })).toEqual([
    'PAYMENT_GATEWAY_URL must be like https://books.example, not "pay.example".',
  ]);
});

test.each(Object.entries(variables).filter(([, { isSecret }]) => isSecret))('an invalid secret in %s is not repeated', (name) => {
  const [problem] = findProblems({ [name]: 'ftp://s' });
  expect(problem).toContain(name);
  expect(problem).not.toContain('ftp://s');
});

test.each([
  ['DATA_DRI', ['DATA_DRI is not a setting. Did you mean DATA_DIR?']],
  ['data_dir', ['data_dir is not a setting. Did you mean DATA_DIR?']],
  ['STRIPE_SECERT_KEY', ['STRIPE_SECERT_KEY is not a setting. Did you mean STRIPE_SECRET_KEY?']],
  ['PROT', ['PROT is not a setting. Did you mean PORT?']],
  ['DATA_DIR', []],
  ['HOSTNAME', []],
  ['PWD', []],
])('the variable %s is reported as misspelt, or ignored', (name, expected) => {
  expect(findMisspeltVariables(variables, { [name]: 'x' })).toEqual(expected);
});

test('a name similar to a variable that is set belongs to another program', () => {
  expect(findMisspeltVariables(variables, { POST: 'x', PORT: '80' })).toEqual([]);
});

describe('the payment provider', () => {
  const readProvider = (environment: Record<string, string>) => readEnvironment(environment, '/shop').provider;
  const stripe = { PAYMENT_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
  const razorpay = {
    PAYMENT_PROVIDER: 'razorpay',
    RAZORPAY_KEY_ID: 'rzp_test_1',
    RAZORPAY_KEY_SECRET: 'secret',
    RAZORPAY_WEBHOOK_SECRET: 'another',
  };

  test('the payment provider is the test gateway, or a provider with its keys', () => {
    expect(readProvider({ PAYMENT_PROVIDER: 'test', PAYMENT_MODE: 'test' })).toBeUndefined();
    expect(readProvider(stripe)).toMatchObject({ name: 'stripe', isLive: false, publicKey: '' });
    expect(readProvider(razorpay)).toMatchObject({ name: 'razorpay', isLive: false, publicKey: 'rzp_test_1' });
    const liveMode = { PAYMENT_MODE: 'live' };
    expect(readProvider({ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_test_1' })).toMatchObject({ publicKey: 'pk_test_1' });
    expect(readProvider({ ...stripe, ...liveMode, STRIPE_SECRET_KEY: 'rk_live_1' })).toMatchObject({ isLive: true });
    expect(readProvider({ ...razorpay, ...liveMode, RAZORPAY_KEY_ID: 'rzp_live_1' })).toMatchObject({ isLive: true });
  });

  test.each([
    [{ PAYMENT_PROVIDER: 'paypal' }, 'PAYMENT_PROVIDER must be test, stripe or razorpay'],
    [{ PAYMENT_MODE: 'live' }, 'the test gateway takes no money'],
    [{ ...stripe, PAYMENT_MODE: 'real' }, 'PAYMENT_MODE must be live or test'],
    [{ ...stripe, PAYMENT_MODE: 'live' }, 'STRIPE_SECRET_KEY is a test key'],
    [{ ...stripe, STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_SECRET_KEY is a live key'],
    [
      { ...stripe, STRIPE_SECRET_KEY: 'pk_test_1' },
      'STRIPE_SECRET_KEY must be a key like sk_live_… or sk_test_…, not the given 9 characters.',
    ],
    [{ ...stripe, STRIPE_PUBLISHABLE_KEY: 'pk_live_1' }, 'STRIPE_PUBLISHABLE_KEY is a live key'],
    [
      { ...stripe, STRIPE_PUBLISHABLE_KEY: 'sk_test_1' },
      'STRIPE_PUBLISHABLE_KEY must be a key like pk_live_… or pk_test_…, not the given 9 characters.',
    ],
    [{ ...stripe, STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY is missing'],
    [{ ...stripe, STRIPE_WEBHOOK_SECRET: 'secret' }, 'STRIPE_WEBHOOK_SECRET must begin with whsec_'],
    [{ ...stripe, PAYMENT_PROVIDER: 'test' }, 'STRIPE_SECRET_KEY is for PAYMENT_PROVIDER=stripe'],
    [{ ...stripe, RAZORPAY_KEY_ID: 'rzp_test_1' }, 'RAZORPAY_KEY_ID is for PAYMENT_PROVIDER=razorpay'],
    [
      { ...stripe, PAYMENT_GATEWAY_URL: 'https://pay.example', PAYMENT_GATEWAY_SECRET: 'of the gateway alone' },
      'PAYMENT_GATEWAY_URL is for PAYMENT_PROVIDER=test',
    ],
    [{ ...razorpay, PAYMENT_MODE: 'live' }, 'RAZORPAY_KEY_ID is a test key'],
    [{ ...razorpay, RAZORPAY_KEY_ID: 'rzp_live_1' }, 'RAZORPAY_KEY_ID is a live key'],
    [{ ...razorpay, RAZORPAY_WEBHOOK_SECRET: '' }, 'RAZORPAY_WEBHOOK_SECRET is missing'],
  ])('the settings %j of a payment provider are refused', (environment, message) => {
    expect(() => readProvider(environment)).toThrow(BadSetting);
    expect(() => readProvider(environment)).toThrow(message);
  });

  test('a malformed key of a payment provider is one error, which does not repeat the key', () => {
    for (const PAYMENT_MODE of ['test', 'live'])
      expect(() => readProvider({ ...stripe, PAYMENT_MODE, STRIPE_SECRET_KEY: 'sk_prod_1', STRIPE_PUBLISHABLE_KEY: '' })).toThrow(
        /^STRIPE_SECRET_KEY must be a key like [^\n]*, not the given 9 characters\.$/,
      );
  });
});
