import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { loadContract } from '../../../server/api/calls/contract.ts';
import { callOwnApi } from '../../../server/web/own-api.ts';
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
  asked = shop,
) =>
  asked.ask('signIn', '/user/signin', {
    query: { shelfid: store, appid: 'web', deviceid },
    headers: { ...basicAuth(email, password), ...(cookie === '' ? {} : { cookie }) },
  });
const signInCookie = async (...asking: Parameters<typeof signIn>): Promise<string> =>
  findDeviceCookie((await signIn(...asking)).headers) ?? '';
/** Whether the account knows a browser: then many wrong passwords in a row are checked. */
async function isKnown(customer: Customer, cookie: string): Promise<boolean> {
  const statuses = [];
  for (let guess = 0; guess < 8; guess += 1)
    statuses.push((await signIn(customer, { cookie, password: 'a guess of it' })).status);
  await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
  return statuses.every((status) => status === 401);
}
const COOKIE_ATTRIBUTES = 'Path=/api; Max-Age=34560000; HttpOnly; SameSite=Lax';

describe('a sign-in on a device', () => {
  test('sets a cookie of 256 random bits, of which only the hash is stored', async () => {
    const customer = await createCustomer(shop, store);
    const { headers } = await signIn(customer, { deviceid: 'laptop' });
    const [cookie = ''] = [headers['set-cookie'] ?? []].flat();
    expect(cookie).toMatch(new RegExp(`^device=[\\w-]{43}; ${COOKIE_ATTRIBUTES}$`));
    const rows = await shop.db.selectFrom('devices').selectAll().where('user_id', '=', customer.id).execute();
    expect(JSON.stringify(rows)).not.toContain(cookie.slice('device='.length, 'device='.length + 43));
  });

  test('sets a secure cookie where the shop uses HTTPS', async () => {
    const secure = await openShop({ config: { publicUrl: 'https://books.example' } });
    try {
      const shelfid = await secure.store();
      const email = `${randomUUID()}@example.org`;
      const { headers } = await secure.ask('signUp', '/user/signup', {
        query: { shelfid, appid: 'web', deviceid: 'laptop' },
        headers: basicAuth(email, PASSWORD),
        body: signUpXml(email),
      });
      expect([headers['set-cookie']].flat()[0]).toMatch(new RegExp(`^__Secure-device=[\\w-]{43}; ${COOKIE_ATTRIBUTES}; Secure$`));
    } finally {
      await secure.close();
    }
  });

  test('keeps the secret that the account knows, and otherwise puts a new one in front of those in the cookie', async () => {
    const [one, other] = [await createCustomer(shop, store), await createCustomer(shop, store)];
    const first = await signInCookie(one, { deviceid: 'laptop' });
    expect(await signInCookie(one, { deviceid: 'laptop', cookie: first })).toBe(first);
    expect(await signInCookie(one, { deviceid: 'its-id-was-lost', cookie: first })).toBe(first);
    const madeUp = `device=${'x'.repeat(43)}`;
    for (const cookie of [first, madeUp])
      expect(await signInCookie(other, { deviceid: 'laptop', cookie })).toMatch(
        new RegExp(`^device=[\\w-]{43}\\.${cookie.slice(7)}$`),
      );
  });

  test('without a device id sets no cookie and registers no device', async () => {
    const customer = await createCustomer(shop, store);
    expect((await signIn(customer)).headers['set-cookie']).toBeUndefined();
    expect(await shop.db.selectFrom('devices').select('id').where('user_id', '=', customer.id).execute()).toEqual([]);
  });

  test('that is refused sets no cookie', async () => {
    const customer = await createCustomer(shop, store);
    const { status, headers } = await signIn(customer, { deviceid: 'laptop', password: 'a guess of it' });
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
  });
});

describe('an account knows a device', () => {
  test('by its cookie, and not by its id', async () => {
    const customer = await createCustomer(shop, store);
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const statuses = [];
    for (let guess = 0; guess < 8; guess += 1)
      statuses.push((await signIn(customer, { deviceid: 'laptop', password: 'a guess of it' })).status);
    expect(statuses).toContain(429);
  });

  test('until another browser signs in with the same id', async () => {
    const customer = await createCustomer(shop, store);
    const first = await signInCookie(customer, { deviceid: 'laptop' });
    const second = await signInCookie(customer, { deviceid: 'laptop' });
    expect([await isKnown(customer, first), await isKnown(customer, second)]).toEqual([false, true]);
  });

  test('until it is removed', async () => {
    const customer = await createCustomer(shop, store);
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const body = '<DeregisterDevice><DeviceId>laptop</DeviceId></DeregisterDevice>';
    expect((await shop.ask('deregisterDevice', '/user/devices/deregister', { query: customer.query, body })).status).toBe(200);
    expect(await isKnown(customer, cookie)).toBe(false);
  });

  test('while it is among the last twenty that signed in', async () => {
    const customer = await createCustomer(shop, store);
    const first = await signInCookie(customer, { deviceid: 'first' });
    for (let device = 0; device < 19; device += 1) await rememberDevice(shop, customer, `device-${device}`);
    expect(await isKnown(customer, first)).toBe(true);
    await rememberDevice(shop, customer, 'one more');
    expect(await isKnown(customer, first)).toBe(false);
  });

  test('until the password is reset: sixty wrong guesses from it are then delayed', async () => {
    const customer = await createCustomer(shop, store);
    await shop.db.updateTable('users').set({ email_verified_at: new Date() }).where('id', '=', customer.id).execute();
    const cookie = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, cookie)).toBe(true);
    const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    const body = `<ResetPassword><Token>${token}</Token><Password>battery staple</Password></ResetPassword>`;
    expect((await shop.ask('resetPassword', '/user/resetpassword', { query: { shelfid: store }, body })).status).toBe(200);
    let checked = 0;
    for (let guess = 0; guess < 60; guess += 1) {
      const { status, headers } = await signIn(customer, { cookie, password: 'a guess of it' });
      if (status === 401) checked += 1;
      else expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Five, plus those whose delay ends on a slow machine.
    expect(checked).toBeLessThan(10);
  });

  test('until the password is changed, unless the change is made on it', async () => {
    const customer = await createCustomer(shop, store);
    const here = await signIn(customer, { deviceid: 'laptop' });
    const [cookie, other] = [findDeviceCookie(here.headers) ?? '', await signInCookie(customer, { deviceid: 'telephone' })];
    const { IdToken: accesstoken } = here.value as { IdToken: string };
    const changed = await shop.ask('saveUserDetails', '/user/details', {
      query: { shelfid: store, accesstoken },
      headers: { cookie },
      body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
    });
    expect(changed.status).toBe(200);
    expect([await isKnown(customer, cookie), await isKnown(customer, other)]).toEqual([true, false]);
  });

  test('no longer where another browser has taken over the device id of the session that changes the password', async () => {
    const customer = await createCustomer(shop, store);
    const here = await signIn(customer, { deviceid: 'laptop' });
    const taken = await signInCookie(customer, { deviceid: 'laptop' });
    expect(await isKnown(customer, taken)).toBe(true);
    const { IdToken: accesstoken } = here.value as { IdToken: string };
    await shop.ask('saveUserDetails', '/user/details', {
      query: { shelfid: store, accesstoken },
      headers: { cookie: findDeviceCookie(here.headers) ?? '' },
      body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
    });
    expect(await isKnown(customer, taken)).toBe(false);
  });
});

describe('a browser that several customers share', () => {
  const secretsIn = (cookie: string) => cookie.slice('device='.length).split('.');

  test('is known to each of them, and each secret only to its own account', async () => {
    const [one, other, stranger] = [
      await createCustomer(shop, store),
      await createCustomer(shop, store),
      await createCustomer(shop, store),
    ];
    const first = await signInCookie(one, { deviceid: 'shared' });
    const both = await signInCookie(other, { deviceid: 'shared', cookie: first });
    expect(secretsIn(both)).toEqual([expect.stringMatching(/^[\w-]{43}$/), secretsIn(first)[0]]);
    expect([await isKnown(one, both), await isKnown(other, both), await isKnown(stranger, both)]).toEqual([true, true, false]);
    expect(await isKnown(other, first)).toBe(false);
    // Signing in again moves the account's secret to the front, and changes none.
    expect(secretsIn(await signInCookie(one, { deviceid: 'shared', cookie: both }))).toEqual(secretsIn(both).toReversed());
  });

  test('is known to the last five of them', async () => {
    const customers = await Promise.all(Array.from({ length: 6 }, () => createCustomer(shop, store)));
    let cookie = '';
    for (const customer of customers) cookie = await signInCookie(customer, { deviceid: 'shared', cookie });
    expect(secretsIn(cookie)).toHaveLength(5);
    const known = [];
    for (const customer of customers) known.push(await isKnown(customer, cookie));
    expect(known).toEqual([false, true, true, true, true, true]);
  });

  test('is known by its valid secrets where others in the cookie are malformed', async () => {
    const customer = await createCustomer(shop, store);
    const [secret = ''] = secretsIn(await signInCookie(customer, { deviceid: 'shared' }));
    const made = Array.from({ length: 6 }, () => 'x'.repeat(43)).join('.');
    expect(await isKnown(customer, `device=.short.${secret}.${made}`)).toBe(true);
    expect(secretsIn(await signInCookie(customer, { deviceid: 'shared', cookie: `device=${made}.${secret}` }))).toHaveLength(5);
  });
});

test('concurrent sign-ins of one browser leave it known by one of their cookies', async () => {
  const customer = await createCustomer(shop, store);
  const cookies = await Promise.all(Array.from({ length: 6 }, () => signInCookie(customer, { deviceid: 'laptop' })));
  const known = [];
  for (const cookie of cookies) if (await isKnown(customer, cookie)) known.push(cookie);
  expect(known).toHaveLength(1);
});

test('a known device over its limit is treated as a stranger, and right passwords count, too', async () => {
  const customer = await createCustomer(shop, store);
  const cookie = await signInCookie(customer, { deviceid: 'laptop' });
  const matches = vi.spyOn(shop.services.passwords, 'matches');
  for (let attempt = 0; attempt < 101; attempt += 1) expect((await signIn(customer, { cookie })).status).toBe(200);
  const owners = matches.mock.calls.map(([, , owner]) => owner);
  matches.mockRestore();
  expect(owners.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => ({ key: customer.id, goesFirst: true })));
  expect(owners[100]).toEqual({ key: '127.0.0.1', goesFirst: false });
});

test('a known device has four hundred passwords a day', async () => {
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
  const changed = await shop.ask('saveUserDetails', '/user/details', {
    query: customer.query,
    headers: { cookie },
    body: `<UserDetails><NewPassword>battery staple</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`,
  });
  expect(changed.status).toBe(200);
});

test('strangers’ concurrent attempts count against all of their limits, and refused ones against none', async () => {
  const customer = await createCustomer(shop, store);
  const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(customer, { password: 'a guess of it' })));
  const checked = answers.filter(({ status }) => status === 401).length;
  expect(checked).toBe(5);
  const counted = await shop.db
    .selectFrom('rate_limit_counters')
    .select(['subject', 'calls'])
    .where('store_id', '=', store)
    .where('subject', 'like', sql<string>`${`%${customer.email}`}`)
    .orderBy('subject')
    .execute();
  expect(counted).toEqual([
    { subject: `account:${customer.email}`, calls: 5 },
    { subject: `pair:127.0.0.1 ${customer.email}`, calls: 5 },
  ]);
});

describe('a visitor’s cookie', () => {
  test('is not passed to calls whose responses are included in shared pages', async () => {
    const sent: unknown[] = [];
    const answer = { statusCode: 200, headers: { 'content-type': 'text/xml', 'set-cookie': 'device=x' }, body: '<Titles/>' };
    const request = {
      headers: { host: 'books.example', cookie: 'device=secret' },
      socket: { remoteAddress: '192.0.2.1' },
      server: { inject: async (asked: unknown) => (sent.push(asked), answer) },
    } as unknown as FastifyRequest;
    expect(await callOwnApi(request, '/api/titles', 'en')).toEqual({ status: 200, type: 'text/xml', text: '<Titles/>' });
    expect(sent).toEqual([
      {
        method: 'GET',
        url: '/api/titles',
        headers: { host: 'books.example', 'accept-language': 'en' },
        remoteAddress: '192.0.2.1',
      },
    ]);
  });

  test('is not set by calls whose responses are shared or repeated', async () => {
    const operations = Object.values(loadContract().paths).flatMap((methods) => Object.values(methods));
    const signing = operations.filter(({ parameters }) => parameters?.some(({ $ref }) => $ref?.endsWith('/deviceid')));
    expect(
      signing
        .map((each) => each['x-fastify-config']?.operation)
        .map((each) => [each?.operationId, each?.shared, each?.acceptsIdempotencyKey]),
    ).toEqual(
      ['signIn', 'signUp', 'finishProviderSignIn', 'signInByPhone', 'signInByPasskey'].map((id) => [id, 'nobody', false]),
    );
  });
});
