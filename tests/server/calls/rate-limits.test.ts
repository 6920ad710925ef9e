import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueResetToken } from '../../../server/accounts/tokens.ts';
import { makeCodeIn } from '../support/codes.ts';
import { basicAuth, type Customer, createCustomer, PASSWORD } from '../support/customers.ts';
import { rememberDevice, markUserTrusted } from '../support/known-devices.ts';
import { openShop, type Shop } from '../support/shop.ts';

const DEVICE = 'a-known-laptop';

let shop: Shop;
let store: string;
/** An address in a network without counted calls. */
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

type Call = { query?: object; method?: 'GET' | 'POST'; headers?: Record<string, string>; payload?: string | object };
const call = (path: string, { query = {}, ...rest }: Call = {}, from = remoteAddress) =>
  shop.app.inject({
    url: `/api${path}?${new URLSearchParams({ shelfid: store, appid: 'web', ...query }).toString()}`,
    remoteAddress: from,
    ...rest,
  });
/** Sets a subject's counter above every limit; after wrong passwords the wait is 25 s. */
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
/** Ends the waits after wrong passwords, but no window. */
const resetRetryTimes = () =>
  shop.db
    .updateTable('rate_limit_counters')
    .set({ retry_at: new Date(0) })
    .where('store_id', '=', store)
    .execute();
const exhaustNetwork = (name: string) => exhaust(`${name}:${remoteAddress}`);
/** Makes a device known to an aged account. @returns the headers of its browser */
const trustDevice = async (owner: Customer, id = DEVICE) => {
  await markUserTrusted(shop, owner);
  return rememberDevice(shop, owner, id);
};
const FORGED_COOKIE = { cookie: `device=${'x'.repeat(43)}` };

const xml = { 'content-type': 'text/xml' };
const json = { 'content-type': 'application/json' };

describe('on a network over its limit of wrong passwords', () => {
  const signIn = (email: string, password: string, headers = {}) =>
    call('/user/signin', { headers: { ...basicAuth(email, password), ...headers } });
  beforeEach(() => exhaustNetwork('network'));

  test('an unknown device gets the same response for right and wrong passwords, and a known device signs in', async () => {
    const known = await trustDevice(customer);
    const [right, wrong, unknownAccount] = [
      await signIn(customer.email, PASSWORD),
      await signIn(customer.email, 'a guess of it'),
      await signIn(`${randomUUID()}@example.org`, PASSWORD, known),
    ];
    const told = ({ statusCode, body, headers }: typeof right) => ({ statusCode, body, wait: headers['retry-after'] });
    expect(told(right)).toEqual({ statusCode: 429, body: right.body, wait: expect.stringMatching(/^2[345]$/) });
    expect([wrong, unknownAccount].map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [429, right.body],
      [429, right.body],
    ]);
    expect((await signIn(customer.email, PASSWORD, known)).statusCode).toBe(200);
  });

  test('one attempt is checked after each wait of at most 30 s', async () => {
    await resetRetryTimes();
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => signIn(`a${at}@example.org`, 'a guess of it')));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([401, 429, 429, 429, 429, 429]);
    for (const { statusCode, headers } of answers)
      if (statusCode === 429) expect(['28', '29', '30']).toContain(headers['retry-after']);
    await resetRetryTimes();
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('an attempt that waits for the network does not count against the account', async () => {
    for (let at = 0; at < 8; at += 1) expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(429);
    await resetRetryTimes();
    expect((await signIn(customer.email, PASSWORD)).statusCode).toBe(200);
  });

  test('a signed-in customer without a known device changes the password', async () => {
    const payload = `<UserDetails><NewPassword>another one, and long</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`;
    const { accesstoken } = customer.query;
    const changed = await call('/user/details', { query: { accesstoken }, method: 'POST', headers: xml, payload });
    expect([changed.statusCode, changed.body]).toEqual([200, expect.stringContaining('Ok')]);
  });
});

test('one IPv6 /48 cannot use up the account’s limit for other unknown devices', async () => {
  let checked = 0;
  for (let line = 0; line < 12; line += 1)
    for (let guess = 0; guess < 5; guess += 1) {
      const from = `2001:db8:5:${line.toString(16)}::1`;
      const { statusCode } = await call('/user/signin', { headers: basicAuth(customer.email, 'a guess of it') }, from);
      if (statusCode === 401) checked += 1;
    }
  expect(checked).toBe(40);
  const counted = await shop.db
    .selectFrom('rate_limit_counters')
    .select('calls')
    .where('store_id', '=', store)
    .where('subject', '=', `account:${customer.email}`)
    .executeTakeFirst();
  expect(counted).toEqual({ calls: 40 });
  expect((await call('/user/signin', { headers: basicAuth(customer.email, PASSWORD) })).statusCode).toBe(200);
});

describe('a link to reset the password', () => {
  const ask = (email: string, headers = {}) => call('/user/forgotpassword', { query: { email }, headers });

  test('is sent to a known device, even when strangers have used up the limit', async () => {
    const known = await trustDevice(customer);
    await exhaustNetwork('reset');
    await exhaust(`reset-account:${customer.email}`);
    expect((await ask(customer.email)).statusCode).toBe(429);
    expect((await ask(customer.email, FORGED_COOKIE)).statusCode).toBe(429);
    expect((await ask(customer.email, known)).statusCode).toBe(200);
  });

  test('is sent five times an hour for all known devices together, and then within the limit of strangers', async () => {
    const devices = [await trustDevice(customer), await trustDevice(customer, 'a-known-phone')];
    const askAll = () => Promise.all(Array.from({ length: 8 }, (_, at) => ask(customer.email, devices[at % 2])));
    const sent = (answers: Awaited<ReturnType<typeof askAll>>) => answers.filter(({ statusCode }) => statusCode === 200).length;
    expect(sent(await askAll())).toBe(8);
    // Three of those eight counted against the strangers' limit.
    expect(sent(await askAll())).toBe(2);
  });

  test('is sent five times an hour to known devices when strangers have used up theirs', async () => {
    const known = await trustDevice(customer);
    await exhaust(`reset-account:${customer.email}`);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(customer.email, known)));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429,
    ]);
    // The rest of the strangers' window, which ends first.
    for (const { statusCode, headers } of answers)
      if (statusCode === 429) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(600);
  });

  test('can be requested again with the same key after the wait, which each refusal states', async () => {
    await exhaustNetwork('reset');
    const headers = { 'idempotency-key': 'the-same-press' };
    for (let at = 0; at < 2; at += 1) {
      const refused = await ask(customer.email, headers);
      expect(refused.statusCode).toBe(429);
      expect(refused.headers['retry-after']).toMatch(/^(600|59\d)$/);
    }
    await shop.db.deleteFrom('rate_limit_counters').where('store_id', '=', store).execute();
    expect((await ask(customer.email, headers)).statusCode).toBe(200);
  });

  test('works on a network with too many invalid links, where invalid ones are refused', async () => {
    await exhaustNetwork('reset-link');
    const token = await issueResetToken(shop.db, { storeId: store, userId: customer.id, email: customer.email });
    expect((await call(`/user/token/${token}`)).body).toContain('<Valid>true</Valid>');
    expect((await call(`/user/token/${'x'.repeat(43)}`)).statusCode).toBe(429);
    const reset = (Token: string) =>
      call('/user/resetpassword', {
        method: 'POST',
        headers: xml,
        payload: `<ResetPassword><Token>${Token}</Token><Password>another one, and long</Password></ResetPassword>`,
      });
    expect((await reset('x'.repeat(43))).statusCode).toBe(429);
    expect((await reset(token)).statusCode).toBe(200);
  });
});

describe('on a network over its limit of sign-ins by providers and passkeys', () => {
  beforeEach(() => Promise.all([exhaustNetwork('provider'), exhaustNetwork('passkey-offer')]));

  const start = (headers = {}) =>
    call('/user/provider/start', {
      method: 'POST',
      headers: { ...xml, ...headers },
      payload: '<StartProviderSignIn><ProviderId>unknown</ProviderId></StartProviderSignIn>',
    });
  const passkey = (headers = {}, query = {}) => call('/user/passkey/start', { query, headers, method: 'POST' });

  test('a known device of a customer is not refused, and strangers wait', async () => {
    const known = await trustDevice(customer);
    const statuses = async (headers: object) =>
      (await Promise.all([start(headers), passkey(headers), passkey(headers, { autofill: 'true' })])).map(
        (each) => each.statusCode,
      );
    expect(await statuses({})).toEqual([429, 429, 429]);
    expect(await statuses(FORGED_COOKIE)).toEqual([429, 429, 429]);
    // Past the rate limit, the unknown provider is refused.
    expect(await statuses(known)).toEqual([404, 200, 200]);
  });

  test('a device of a new or unverified account waits with strangers', async () => {
    expect((await passkey(await rememberDevice(shop, customer, DEVICE))).statusCode).toBe(429);
  });

  test('a signed-in customer is not refused; one with a new or unverified account waits with strangers', async () => {
    const { accesstoken } = customer.query;
    const body = { method: 'POST' as const, headers: json, payload: { providerId: 'unknown' } };
    expect((await call('/user/ways/start', { query: { accesstoken }, ...body })).statusCode).toBe(429);
    await markUserTrusted(shop, customer);
    expect((await call('/user/ways/start', { query: { accesstoken }, ...body })).statusCode).toBe(404);
    expect((await call('/user/passkeys/start', { query: { accesstoken }, method: 'POST' })).statusCode).toBe(200);
  });

  test('all devices of a customer share that customer’s limit', async () => {
    const devices = [];
    for (let at = 0; at < 20; at += 1) devices.push(await trustDevice(customer, `${customer.id}-${at}`));
    const statuses = [];
    for (let at = 0; at < 61; at += 1) statuses.push((await passkey(devices[at % 20])).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('on a network over its limit of redeem codes', () => {
  const look = (code: string, headers = {}, query = {}) => call('/redeem/apply', { query: { code, ...query }, headers });
  const session = () => ({ accesstoken: customer.query.accesstoken });

  test('customers are recognised by session and by known device, and strangers wait', async () => {
    const code = await makeCodeIn(shop, store, { grants: 'title:book' });
    const known = await trustDevice(customer);
    await exhaustNetwork('redeem');
    expect((await look(code)).statusCode).toBe(429);
    expect((await look(code, {}, session())).statusCode).toBe(200);
    expect((await look(code, known)).statusCode).toBe(200);
    const other = await createCustomer(shop, store);
    expect((await look(code, {}, { accesstoken: other.query.accesstoken })).statusCode).toBe(429);
  });

  test('a known device has the guesses of a customer, and does not use up those of the customer’s sessions', async () => {
    const known = await trustDevice(customer);
    await exhaustNetwork('redeem');
    const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => look(`WRONG${at}`, known)));
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(6);
    expect((await look('WRONG', {}, session())).statusCode).toBe(404);
  });

  test('a known device without guesses left gets those of a stranger', async () => {
    const known = await trustDevice(customer);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => look(`WRONG${at}`, known)));
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(18);
    expect(Number(answers.find(({ statusCode }) => statusCode === 429)?.headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});

test('phone numbers outside the store’s countries count as attempts, since the answer tells whether an account exists', async () => {
  const properties = { SmsCountries: [] };
  const shelfid = await shop.store({ properties, providers: [{ kind: 'phone', country: 'GB' }] });
  const ask = (number: number) =>
    call('/user/phone/code', {
      method: 'POST',
      query: { shelfid },
      headers: { 'content-type': 'text/xml' },
      payload: `<SendPhoneCode><Phone>+447400${String(number).padStart(6, '0')}</Phone></SendPhoneCode>`,
    });
  const statuses = new Set<number>();
  for (let number = 0; number < 130; number += 1) statuses.add((await ask(number)).statusCode);
  expect([...statuses]).toEqual([409, 429]);
});
