import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { loadContract } from '../../../server/api/calls/contract.ts';
import { callOwnApi } from '../../../server/web/call-api.ts';
import { basicAuth, type Customer, createCustomer, PASSWORD, signUpXml } from '../support/customers.ts';
import { findDeviceCookie, rememberDevice } from '../support/known-devices.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store();
});
afterAll(() => shop.close());

const signIn = (
  { email }: Pick<Customer, 'email'>,
  { deviceid, cookie = '', password = PASSWORD }: { deviceid?: string; cookie?: string | undefined; password?: string } = {},
  targetShop = shop,
) =>
  targetShop.call('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', deviceid },
    headers: { ...basicAuth(email, password), ...(cookie === '' ? {} : { cookie }) },
  });
const signInCookie = async (...args: Parameters<typeof signIn>): Promise<string> =>
  findDeviceCookie((await signIn(...args)).headers) ?? '';
/** Whether the account knows a browser: many wrong passwords in a row are then checked. */
async function isKnown(customer: Customer, cookie: string): Promise<boolean> {
  const statuses = [];
  for (let guess = 0; guess < 8; guess += 1)
    statuses.push((await signIn(customer, { cookie, password: 'a guess of it' })).status);
  await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
  return statuses.every((status) => status === 401);
}
const COOKIE_ATTRIBUTES = 'Path=/api; Max-Age=34560000; HttpOnly; SameSite=Lax';

describe('a sign-in on a device', () => {
  test('a sign-in on a device sets a cookie of 256 random bits, of which only the hash is stored', async () => {
    const customer = await createCustomer(shop, store);
    const { headers } = await signIn(customer, { deviceid: 'laptop' });
    const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(new RegExp(`^device=[\\w-]{43}; ${COOKIE_ATTRIBUTES}$`));
    const rows = await shop.db.selectFrom('devices').selectAll().where('user_id', '=', customer.id).execute();
    expect(JSON.stringify(rows)).not.toContain(cookie.slice('device='.length, 'device='.length + 43));
  });

  test('a sign-in on a device sets a secure cookie where the shop uses HTTPS', async () => {
    const secureShop = await openShop({ config: { publicUrl: 'https://books.example' } });
    try {
      const shelfid = await secureShop.store();
      const email = `${randomUUID()}@example.org`;
      const { headers } = await secureShop.call('signUp', '/user/signup', {
        query: { shelfid, appid: 'web', deviceid: 'laptop' },
        headers: basicAuth(email, PASSWORD),
        body: signUpXml(email),
      });
      expect([headers['set-cookie']].flat()[0]).toMatch(new RegExp(`^__Secure-device=[\\w-]{43}; ${COOKIE_ATTRIBUTES}; Secure$`));
    } finally {
      await secureShop.close();
    }
  });

  test('a sign-in on a device keeps the secret that the account knows, and otherwise puts a new secret first in the cookie', async () => {
    const [customer, otherCustomer] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const firstCookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await signInCookie(customer, { deviceid: 'laptop', cookie: firstCookie })).toBe(firstCookie);
    expect(await signInCookie(customer, { deviceid: 'its-id-was-lost', cookie: firstCookie })).toBe(firstCookie);
    const forgedCookie = `device=${'x'.repeat(43)}`;
    for (const cookie of [firstCookie, forgedCookie])
      expect(await signInCookie(otherCustomer, { deviceid: 'laptop', cookie })).toMatch(
        new RegExp(`^device=[\\w-]{43}\\.${cookie.slice(7)}$`),
      );
  });

  test('a sign-in without a device id sets no cookie and registers no device', async () => {
    const customer = await createCustomer(shop, store);
    expect((await signIn(customer)).headers['set-cookie']).toBeUndefined();
    expect(await shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('a refused sign-in sets no cookie', async () => {
    const customer = await createCustomer(shop, store);
    const { status, headers } = await signIn(customer, { deviceid: 'laptop', password: 'a guess of it' });
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  });
});

describe('an account knows a device', () => {
  test('an account knows a device by its cookie, and not by its id', async () => {
    const customer = await createCustomer(shop, store);
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const statuses = [];
    for (let guess = 0; guess < 8; guess += 1)
      statuses.push((await signIn(customer, { deviceid: 'laptop', password: 'a guess of it' })).status);
    expect(statuses).toContain(429);
  });

  test('an account knows a device until another browser signs in with the same id', async () => {
    const customer = await createCustomer(shop, store);
    const firstCookie = await signInCookie(customer, { deviceid: 'laptop' });
    const secondCookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect([await isKnown(customer, firstCookie), await isKnown(customer, secondCookie)]).toEqual([false, true]);
  });

  test('an account knows a device until the device is removed', async () => {
    const customer = await createCustomer(shop, store);
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const body = '<DeregisterDevice><DeviceId>laptop</DeviceId></DeregisterDevice>';
    expect((await shop.call('deregisterDevice', '/user/devices/deregister', { query: customer.query, body })).status).toBe(200);
    expect(await isKnown(customer, cookie)).toBe(false);
  });

  test('an account knows the last twenty devices that signed in', async () => {
    const customer = await createCustomer(shop, store);
    const firstCookie = await signInCookie(customer, { deviceid: 'first' });
    for (let device = 0; device < 19; device += 1) await rememberDevice(shop, customer, `device-${device}`);
    expect(await isKnown(customer, firstCookie)).toBe(true);
    await rememberDevice(shop, customer, 'one more');
    expect(await isKnown(customer, firstCookie)).toBe(false);
  });

  test('an account knows a device until the password is reset: wrong guesses from the device are then delayed', async () => {
    const customer = await createCustomer(shop, store);
    await shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    const body = `<ResetPassword><Token>${token}</Token><Password>battery staple</Password></ResetPassword>`;
    expect((await shop.call('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body })).status).toBe(200);
    let checkedCount = 0;
    for (let guess = 0; guess < 60; guess += 1) {
      const { status, headers } = await signIn(customer, { cookie, password: 'a guess of it' });
      if (status === 401) checkedCount += 1;
      else expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Five attempts, and more on a slow computer, where delays end between attempts.
    expect(checkedCount).toBeLessThan(10);
  });

  test('an account knows a device until the password is changed on another device', async () => {
    const customer = await createCustomer(shop, store);
    const signInResponse = await signIn(customer, { deviceid: 'laptop' });
    const [cookie, otherCookie] = [
      findDeviceCookie(signInResponse.headers) ?? '',
      await signInCookie(customer, { deviceid: 'telephone' }),
    ];
    const { IdToken: accesstoken } = signInResponse.value as { IdToken: string };
    const response = await shop.call('saveUserDetails', '/user/details', {
      query: { shelfid: store, accesstoken },
      headers: { cookie },
      body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
    });
    expect(response.status).toBe(200);
    expect([await isKnown(customer, cookie), await isKnown(customer, otherCookie)]).toEqual([true, false]);
  });

  test('a browser that has taken over the device id of a session is unknown after that session changes the password', async () => {
    const customer = await createCustomer(shop, store);
    const signInResponse = await signIn(customer, { deviceid: 'laptop' });
    const newCookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, newCookie)).toBe(true);
    const { IdToken: accesstoken } = signInResponse.value as { IdToken: string };
    await shop.call('saveUserDetails', '/user/details', {
      query: { shelfid: store, accesstoken },
      headers: { cookie: findDeviceCookie(signInResponse.headers) ?? '' },
      body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
    });
    expect(await isKnown(customer, newCookie)).toBe(false);
  });
});

describe('a browser that several customers share', () => {
  const parseSecrets = (cookie: string) => cookie.slice('device='.length).split('.');

  test('a browser that several customers share is known to each of them, and each secret only to its own account', async () => {
    const [firstCustomer, secondCustomer, stranger] = [
      await createCustomer(shop, store),
      await createCustomer(shop, store),
      await createCustomer(shop, store),
    ];
    const firstCookie = await signInCookie(firstCustomer, { deviceid: 'shared' });
    const sharedCookie = await signInCookie(secondCustomer, { deviceid: 'shared', cookie: firstCookie });
    expect(parseSecrets(sharedCookie)).toEqual([expect.stringMatching(/^[\w-]{43}$/), parseSecrets(firstCookie)[0]]);
    expect([
      await isKnown(firstCustomer, sharedCookie),
      await isKnown(secondCustomer, sharedCookie),
      await isKnown(stranger, sharedCookie),
    ]).toEqual([true, true, false]);
    expect(await isKnown(secondCustomer, firstCookie)).toBe(false);
    // Signing in again moves the account's secret to the front, and changes no secret.
    expect(parseSecrets(await signInCookie(firstCustomer, { deviceid: 'shared', cookie: sharedCookie }))).toEqual(
      parseSecrets(sharedCookie).toReversed(),
    );
  });

  test('a browser that several customers share is known to the last five of them', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => createCustomer(shop, store)));
    let cookie = '';
    for (const customer of customers) cookie = await signInCookie(customer, { deviceid: 'shared', cookie });
    expect(parseSecrets(cookie)).toHaveLength(5);
    const knownByCustomer = [];
    for (const customer of customers) knownByCustomer.push(await isKnown(customer, cookie));
    expect(knownByCustomer).toEqual([false, true, true, true, true, true]);
  });

  test('a browser is known by its valid secrets where other secrets in the cookie are malformed', async () => {
    const customer = await createCustomer(shop, store);
    const [secret = ''] = parseSecrets(await signInCookie(customer, { deviceid: 'shared' }));
    const forgedSecrets = Array.from({ length: 6 }, () => 'x'.repeat(43)).join('.');
    expect(await isKnown(customer, `device=.short.${secret}.${forgedSecrets}`)).toBe(true);
    expect(
      parseSecrets(await signInCookie(customer, { deviceid: 'shared', cookie: `device=${forgedSecrets}.${secret}` })),
    ).toHaveLength(5);
  });
});

test('of the cookies that concurrent sign-ins of one browser set, one is known', async () => {
  const customer = await createCustomer(shop, store);
  const cookies = await Promise.all(Array.from({ length: 6 }, () => signInCookie(customer, { deviceid: 'laptop' })));
  const knownCookies = [];
  for (const cookie of cookies) if (await isKnown(customer, cookie)) knownCookies.push(cookie);
  expect(knownCookies).toHaveLength(1);
});

test('a known device over its limit is treated as a stranger; right passwords count towards the limit', async () => {
  const customer = await createCustomer(shop, store);
  const cookie = await signInCookie(customer, { deviceid: 'laptop' });
  const matches = vi.spyOn(shop.services.passwords, 'matches');
  for (let attempt = 0; attempt < 101; attempt += 1) expect((await signIn(customer, { cookie })).status).toBe(200);
  const owners = matches.mock.calls.map(([, , owner]) => owner);
  matches.mockRestore();
  expect(owners.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => ({ key: customer.id, goesFirst: true })));
  expect(owners[100]).toEqual({ key: '127.0.0.1', goesFirst: false });
});

test('a known device is treated as a stranger after four hundred passwords on a day', async () => {
  const customer = await createCustomer(shop, store);
  const cookie = await signInCookie(customer, { deviceid: 'laptop' });
  await signIn(customer, { cookie, password: 'a guess of it' });
  await shop.db
    .updateTable('rate_limit_counters')
    .set({ calls: 400 })
    .where('subject', '=', `password-device-day:${customer.id}`)
    .execute();
  const statuses = [];
  for (let guess = 0; guess < 8; guess += 1)
    statuses.push((await signIn(customer, { cookie, password: 'a guess of it' })).status);
  expect(statuses).toContain(429);
});

test('attempts at a known device without a session do not count against the customer’s sessions', async () => {
  const customer = await createCustomer(shop, store);
  const cookie = await signInCookie(customer, { deviceid: 'shared' });
  for (let guess = 0; guess < 120; guess += 1) await signIn(customer, { cookie, password: 'a guess of it' });
  const response = await shop.call('saveUserDetails', '/user/details', {
    query: customer.query,
    headers: { cookie },
    body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
  });
  expect(response.status).toBe(200);
});

test('checked attempts of strangers count against both limits of the account; refused attempts count against neither', async () => {
  const customer = await createCustomer(shop, store);
  const responses = await Promise.all(Array.from({ length: 12 }, () => signIn(customer, { password: 'a guess of it' })));
  const checkedCount = responses.filter(({ status }) => status === 401).length;
  expect(checkedCount).toBe(5);
  const counters = await shop.db
    .selectFrom('rate_limit_counters')
    .select(['subject', 'calls'])
    .where('store_id', '=', store)
    .where('subject', 'like', sql<string>`${`%${customer.email}`}`)
    .orderBy('subject')
    .execute();
  expect(counters).toEqual([
    { subject: `account:${customer.email}`, calls: 5 },
    { subject: `pair:127.0.0.1 ${customer.email}`, calls: 5 },
  ]);
});

describe('a visitor’s cookie', () => {
  test('a visitor’s cookie is not passed to calls whose responses are included in shared pages', async () => {
    const injectedRequests: unknown[] = [];
    const response = { statusCode: 200, headers: { 'content-type': 'text/xml', 'set-cookie': 'device=x' }, body: '<Titles/>' };
    const request = {
      headers: { host: 'books.example', cookie: 'device=secret' },
      socket: { remoteAddress: '192.0.2.1' },
      server: { inject: async (injectedRequest: unknown) => (injectedRequests.push(injectedRequest), response) },
    } as unknown as FastifyRequest;
    expect(await callOwnApi(request, '/api/titles', 'en')).toEqual({ status: 200, type: 'text/xml', text: '<Titles/>' });
    expect(injectedRequests).toEqual([
      {
        method: 'GET',
        url: '/api/titles',
        headers: { host: 'books.example', 'accept-language': 'en' },
        remoteAddress: '192.0.2.1',
      },
    ]);
  });

  test('the device cookie is not set by calls whose responses are shared or repeated', async () => {
    const operations = Object.values(loadContract().paths).flatMap((methods) => Object.values(methods));
    const signInOperations = operations.filter(({ parameters }) => parameters?.some(({ $ref }) => $ref?.endsWith('/deviceid')));
    expect(
      signInOperations
        .map((each) => each['x-fastify-config']?.operation)
        .map((each) => [each?.operationId, each?.shared, each?.acceptsIdempotencyKey]),
    ).toEqual(
      ['signIn', 'signUp', 'finishProviderSignIn', 'signInByPhone', 'signInByPasskey'].map((id) => [id, 'nobody', false]),
    );
  });
});
