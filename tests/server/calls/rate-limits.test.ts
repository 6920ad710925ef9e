import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { insertCode } from '../support/codes.ts';
import { basicAuth, type Customer, createCustomer, PASSWORD } from '../support/customers.ts';
import { rememberDevice, markUserTrusted } from '../support/known-devices.ts';
import { openShop, type Shop } from '../support/shop.ts';

const DEVICE = 'a-known-laptop';

let shop: Shop;
let store: string;
/** IP address in a network without counted calls. */
let remoteAddress: string;
let customer: Customer;
let networkCount = 0;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: {},
    providers: [{ kind: 'oidc', id: 'sso', name: 'SSO', issuer: 'https://sso.invalid', clientId: 'x', clientSecret: 'y' }],
  });
});
beforeEach(async () => {
  remoteAddress = `192.0.2.${(networkCount += 1)}`;
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

type CallOptions = { query?: object; method?: 'GET' | 'POST'; headers?: Record<string, string>; payload?: string | object };
const call = (path: string, { query = {}, ...options }: CallOptions = {}, callerAddress = remoteAddress) =>
  shop.app.inject({
    url: `/api${path}?${new URLSearchParams({ shelfid: store, appid: 'web', ...query }).toString()}`,
    remoteAddress: callerAddress,
    ...options,
  });
/** Sets a subject's counter above every limit, with the next attempt at a password in 25 s. */
const exhaust = (subject: string) =>
  shop.db
    .insertInto('rate_limit_counters')
    .values({
      store_id: store,
      subject,
      calls: 100_000,
      retry_at: sql<Date>`now() + interval '25 seconds'`,
      window_ends_at: sql<Date>`now() + interval '10 minutes'`,
    })
    .execute();
/** Ends the waits after wrong passwords, without ending the windows of the limits. */
const resetRetryTimes = () =>
  shop.db
    .updateTable('rate_limit_counters')
    .set({ retry_at: new Date(0) })
    .where('store_id', '=', store)
    .execute();
const exhaustNetwork = (name: string) => exhaust(`${name}:${remoteAddress}`);
/** Makes a device known to a trusted account. @returns the headers of the device's browser */
const trustDevice = async (owner: Customer, id = DEVICE) => {
  await markUserTrusted(shop, owner);
  return rememberDevice(shop, owner, id);
};
const FORGED_COOKIE = { cookie: `device=${'x'.repeat(43)}` };

const xmlHeaders = { 'content-type': 'text/xml' };
const jsonHeaders = { 'content-type': 'application/json' };

describe('on a network over its limit of wrong passwords', () => {
  const signIn = (email: string, password: string, headers = {}) =>
    call('/user/signin', { headers: { ...basicAuth(email, password), ...headers } });
  beforeEach(() => exhaustNetwork('network'));

  test('an unknown device gets the same refusal for a right and a wrong password; a known device signs in', async () => {
    const knownDevice = await trustDevice(customer);
    const [rightPassword, wrongPassword, unknownAccount] = [
      await signIn(customer.email, PASSWORD),
      await signIn(customer.email, 'a guess of it'),
      await signIn(`${randomUUID()}@example.org`, PASSWORD, knownDevice),
    ];
    const summarize = ({ statusCode, body, headers }: typeof rightPassword) => ({
      statusCode,
      body,
      wait: headers['retry-after'],
    });
    expect(summarize(rightPassword)).toEqual({
      statusCode: 429,
      body: rightPassword.body,
      wait: expect.stringMatching(/^2[345]$/),
    });
    expect([wrongPassword, unknownAccount].map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [429, rightPassword.body],
      [429, rightPassword.body],
    ]);
    expect((await signIn(customer.email, PASSWORD, knownDevice)).statusCode).toBe(200);
  });

  test('the network has one attempt checked after each wait of at most 30 s', async () => {
    await resetRetryTimes();
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) => signIn(`a${index}@example.org`, 'a guess of it')),
    );
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([401, 429, 429, 429, 429, 429]);
    for (const { statusCode, headers } of responses)
      if (statusCode === 429) expect(['28', '29', '30']).toContain(headers['retry-after']);
    await resetRetryTimes();
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('an attempt that is refused for its network does not count against the account', async () => {
    for (let attempt = 0; attempt < 8; attempt += 1) expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(429);
    await resetRetryTimes();
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('a signed-in customer without a known device can change the password', async () => {
    const payload = `<UserDetails><NewPassword>another one, and long</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`;
    const { accesstoken } = customer.query;
    const response = await call('/user/details', { query: { accesstoken }, method: 'POST', headers: xmlHeaders, payload });
    expect([response.statusCode, response.body]).toEqual([200, expect.stringContaining('Ok')]);
  });
});

test('one IPv6 /48 cannot use up the account’s limit for other unknown devices', async () => {
  let checkedCount = 0;
  for (let subnet = 0; subnet < 12; subnet += 1)
    for (let guess = 0; guess < 5; guess += 1) {
      const address = `2001:db8:5:${subnet.toString(16)}::1`;
      const { statusCode } = await call('/user/signin', { headers: basicAuth(customer.email, 'a guess of it') }, address);
      if (statusCode === 401) checkedCount += 1;
    }
  expect(checkedCount).toBe(40);
  const counter = await shop.db
    .selectFrom('rate_limit_counters')
    .select('calls')
    .where('store_id', '=', store)
    .where('subject', '=', `account:${customer.email}`)
    .executeTakeFirst();
  expect(counter).toEqual({ calls: 40 });
  expect((await call('/user/signin', { headers: basicAuth(customer.email, PASSWORD) })).statusCode).toBe(200);
});

describe('a link to reset the password', () => {
  const requestLink = (email: string, headers = {}) => call('/user/forgotpassword', { query: { email }, headers });

  test('a reset link is sent to a known device even when strangers have used up their limit', async () => {
    const knownDevice = await trustDevice(customer);
    await exhaustNetwork('reset');
    await exhaust(`reset-account:${customer.email}`);
    expect((await requestLink(customer.email)).statusCode).toBe(429);
    expect((await requestLink(customer.email, FORGED_COOKIE)).statusCode).toBe(429);
    expect((await requestLink(customer.email, knownDevice)).statusCode).toBe(200);
  });

  test('all known devices together get five reset links an hour, and then more within the limit of strangers', async () => {
    const devices = [await trustDevice(customer), await trustDevice(customer, 'a-known-phone')];
    const requestLinks = () =>
      Promise.all(Array.from({ length: 8 }, (_, index) => requestLink(customer.email, devices[index % 2])));
    const countSent = (responses: Awaited<ReturnType<typeof requestLinks>>) =>
      responses.filter(({ statusCode }) => statusCode === 200).length;
    expect(countSent(await requestLinks())).toBe(8);
    // Three of those eight counted against the strangers' limit.
    expect(countSent(await requestLinks())).toBe(2);
  });

  test('known devices get five reset links an hour when strangers have used up their limit', async () => {
    const knownDevice = await trustDevice(customer);
    await exhaust(`reset-account:${customer.email}`);
    const responses = await Promise.all(Array.from({ length: 8 }, () => requestLink(customer.email, knownDevice)));
    expect(responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429,
    ]);
    // The wait is the remaining time of the strangers' window, which ends first.
    for (const { statusCode, headers } of responses)
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
  });

  test('a refusal of a reset link states the wait, after which the same request with the same key succeeds', async () => {
    await exhaustNetwork('reset');
    const headers = { 'idempotency-key': 'the-same-press' };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const refusal = await requestLink(customer.email, headers);
      expect(refusal.statusCode).toBe(429);
      expect(refusal.headers['retry-after']).toMatch(/^(600|59\d)$/);
    }
    await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
    expect((await requestLink(customer.email, headers)).statusCode).toBe(200);
  });

  test('on a network with too many invalid reset links, a valid link works and an invalid one gets 429', async () => {
    await exhaustNetwork('reset-link');
    const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    expect((await call(`/user/token/${token}`)).body).toContain('<Valid>true</Valid>');
    expect((await call(`/user/token/${'x'.repeat(43)}`)).statusCode).toBe(429);
    const resetPassword = (Token: string) =>
      call('/user/resetpassword', {
        method: 'POST',
        headers: xmlHeaders,
        payload: `<ResetPassword><Token>${Token}</Token><Password>another one, and long</Password></ResetPassword>`,
      });
    expect((await resetPassword('x'.repeat(43))).statusCode).toBe(429);
    expect((await resetPassword(token)).statusCode).toBe(200);
  });
});

describe('on a network over its limit of sign-ins by providers and passkeys', () => {
  beforeEach(() => Promise.all([exhaustNetwork('provider'), exhaustNetwork('passkey-offer')]));

  const startProviderSignIn = (headers = {}) =>
    call('/user/provider/start', {
      method: 'POST',
      headers: { ...xmlHeaders, ...headers },
      payload: '<StartProviderSignIn><ProviderId>unknown</ProviderId></StartProviderSignIn>',
    });
  const startPasskeySignIn = (headers = {}, query = {}) => call('/user/passkey/start', { query, headers, method: 'POST' });

  test('a known device of a customer can start a sign-in; an unknown device is refused', async () => {
    const knownDevice = await trustDevice(customer);
    const readStatuses = async (headers: object) =>
      (
        await Promise.all([
          startProviderSignIn(headers),
          startPasskeySignIn(headers),
          startPasskeySignIn(headers, { autofill: 'true' }),
        ])
      ).map((each) => each.statusCode);
    expect(await readStatuses({})).toEqual([429, 429, 429]);
    expect(await readStatuses(FORGED_COOKIE)).toEqual([429, 429, 429]);
    // Past the rate limit, the unknown provider is refused.
    expect(await readStatuses(knownDevice)).toEqual([404, 200, 200]);
  });

  test('a known device of a new or unverified account is refused like an unknown device', async () => {
    expect((await startPasskeySignIn(await rememberDevice(shop, customer, DEVICE))).statusCode).toBe(429);
  });

  test('a signed-in customer can start to add a sign-in method, unless the account is new or unverified', async () => {
    const { accesstoken } = customer.query;
    const request = { method: 'POST' as const, headers: jsonHeaders, payload: { providerId: 'unknown' } };
    expect((await call('/user/ways/start', { query: { accesstoken }, ...request })).statusCode).toBe(429);
    await markUserTrusted(shop, customer);
    expect((await call('/user/ways/start', { query: { accesstoken }, ...request })).statusCode).toBe(404);
    expect((await call('/user/passkeys/start', { query: { accesstoken }, method: 'POST' })).statusCode).toBe(200);
  });

  test('all known devices of a customer share one limit of sign-in starts', async () => {
    const devices = [];
    for (let index = 0; index < 20; index += 1) devices.push(await trustDevice(customer, `${customer.id}-${index}`));
    const statuses = [];
    for (let index = 0; index < 61; index += 1) statuses.push((await startPasskeySignIn(devices[index % 20])).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('on a network over its limit of redeem codes', () => {
  const lookUp = (code: string, headers = {}, query = {}) => call('/redeem/apply', { query: { code, ...query }, headers });
  const sessionQuery = () => ({ accesstoken: customer.query.accesstoken });

  test('a trusted customer’s session or known device can look up a code; strangers are refused', async () => {
    const code = await insertCode(shop, store, { grants: 'title:book' });
    const knownDevice = await trustDevice(customer);
    await exhaustNetwork('redeem');
    expect((await lookUp(code)).statusCode).toBe(429);
    expect((await lookUp(code, {}, sessionQuery())).statusCode).toBe(200);
    expect((await lookUp(code, knownDevice)).statusCode).toBe(200);
    const otherCustomer = await createCustomer(shop, store);
    expect((await lookUp(code, {}, { accesstoken: otherCustomer.query.accesstoken })).statusCode).toBe(429);
  });

  test('a known device has six guesses, which do not use up those of the customer’s sessions', async () => {
    const knownDevice = await trustDevice(customer);
    await exhaustNetwork('redeem');
    const responses = await Promise.all(Array.from({ length: 9 }, (_, index) => lookUp(`WRONG${index}`, knownDevice)));
    expect(responses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(6);
    expect((await lookUp('WRONG', {}, sessionQuery())).statusCode).toBe(404);
  });

  test('a known device that has used up its guesses gets those of a stranger', async () => {
    const knownDevice = await trustDevice(customer);
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => lookUp(`WRONG${index}`, knownDevice)));
    expect(responses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(18);
    expect(Number(responses.find(({ statusCode }) => statusCode === 429)?.headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});

// The response reveals whether a number has an account.
test('code requests for phone numbers outside the store’s countries are limited', async () => {
  const properties = { SmsCountries: [] };
  const shelfid = await shop.store({ properties, providers: [{ kind: 'phone', country: 'GB' }] });
  const requestCode = (number: number) =>
    call('/user/phone/code', {
      method: 'POST',
      query: { shelfid },
      headers: { 'content-type': 'text/xml' },
      payload: `<SendPhoneCode><Phone>+447400${String(number).padStart(6, '0')}</Phone></SendPhoneCode>`,
    });
  const statuses = new Set<number>();
  for (let number = 0; number < 130; number += 1) statuses.add((await requestCode(number)).statusCode);
  expect([...statuses]).toEqual([409, 429]);
});
