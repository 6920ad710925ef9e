import { expect, test } from 'vitest';
import { BadSetting, readSettings } from '../../server/settings.ts';

const read = (environment: Record<string, string>) => readSettings(environment, '/shop');

test('defaults for what the environment leaves out', () => {
  expect(read({})).toEqual({
    port: 4400,
    host: '0.0.0.0',
    dataFolder: '/shop/data',
    titlesFolder: '/shop/data/media',
    database: { kind: 'folder', folder: '/shop/data' },
    trustedProxies: 0,
    paymentTimeout: 5000,
    signUpsPerHour: 60,
    mediaLifetime: 43200,
    passwordCost: 65536,
  });
});

test('values of the environment', () => {
  const settings = read({
    PORT: '80',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'https://shop.example/',
    DATA_DIR: '/kept',
    MEDIA_DIR: 'files',
    DATABASE_URL: 'postgres://database/shop',
    TRUST_PROXY: '2',
    PAYMENT_GATEWAY_URL: 'https://pay.example',
    PAYMENT_GATEWAY_SECRET: 'of the gateway alone',
    PAYMENT_TIMEOUT: '900',
    SIGN_UPS_PER_HOUR: '5',
    MEDIA_LIFETIME: '60',
    PASSWORD_COST: '2048',
    ADMIN_TOKEN: 'sixteen letters!',
    CORAL_HOST: 'https://comments.example/',
    SMS_URL: 'https://user:password@sms.example/messages',
    PROVIDERS_FILE: 'kept/providers.json',
  });
  expect(settings).toEqual({
    port: 80,
    host: '127.0.0.1',
    publicUrl: 'https://shop.example',
    dataFolder: '/kept',
    titlesFolder: '/shop/files',
    database: { kind: 'server', url: 'postgres://database/shop' },
    trustedProxies: 2,
    gateway: { origin: 'https://pay.example', secret: 'of the gateway alone' },
    paymentTimeout: 900,
    signUpsPerHour: 5,
    mediaLifetime: 60,
    passwordCost: 2048,
    adminToken: 'sixteen letters!',
    coralHost: 'https://comments.example',
    smsUrl: 'https://user:password@sms.example/messages',
    providersFile: '/shop/kept/providers.json',
  });
});

test.each([
  ['true', 1],
  ['3', 3],
  ['10.0.0.7', ['10.0.0.7']],
  ['10.0.0.7, 10.1.0.0/16,fd00::/8', ['10.0.0.7', '10.1.0.0/16', 'fd00::/8']],
])('TRUST_PROXY=%s says who stands in front', (value, expected) => {
  expect(read({ TRUST_PROXY: value }).trustedProxies).toEqual(expected);
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
  ['MEDIA_LIFETIME', '0'],
  ['PASSWORD_COST', '3000'],
  ['PASSWORD_COST', '512'],
  ['ADMIN_TOKEN', 'guessable'],
  ['DATABASE_URL', 'mysql://database/shop'],
  ['PUBLIC_URL', 'shop.example'],
  ['PUBLIC_URL', 'https://shop.example/books'],
  ['SMS_URL', 'sms.example'],
  ['CORAL_HOST', 'comments.example'],
  ['CORAL_HOST', 'https://comments.example/a; script-src *'],
  ['CORAL_HOST', 'javascript:alert(1)'],
])('%s=%s is refused by its name', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(BadSetting);
  expect(() => read({ [name]: value })).toThrow(name);
});
