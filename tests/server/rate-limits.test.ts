import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { registerDevice } from '../../server/accounts/devices.ts';
import { issueResetToken } from '../../server/accounts/tokens.ts';
import { codeIn } from './support/codes.ts';
import { basic, type Customer, customerOf, PASSWORD } from './support/customers.ts';
import { openShop, type Shop } from './support/shop.ts';

const DEVICE = 'a-known-laptop';

let shop: Shop;
let store: string;
/** An address of a network that nothing was counted for. */
let remoteAddress: string;
let customer: Customer;
let networks = 0;
beforeAll(async () => {
  shop = await openShop();
  store = await shop.store({
    properties: {},
    providers: [{ kind: 'oidc', id: 'sso', name: 'SSO', issuer: 'https://sso.invalid', clientId: 'x', clientSecret: 'y' }],
  });
});
beforeEach(async () => {
  remoteAddress = `192.0.2.${(networks += 1)}`;
  customer = await customerOf(shop, store);
});
afterAll(() => shop.close());

type Call = { query?: object; method?: 'GET' | 'POST'; headers?: Record<string, string>; payload?: string | object };
const call = (path: string, { query = {}, ...rest }: Call = {}, from = remoteAddress) =>
  shop.app.inject({
    url: `/api${path}?${new URLSearchParams({ shelfid: store, appid: 'web', ...query }).toString()}`,
    remoteAddress: from,
    ...rest,
  });
/** Calls counted under a subject already: more than any limit. */
const useUp = (subject: string) =>
  shop.db
    .insertInto('sign_in_attempts')
    .values({ store_id: store, subject, failures: 100_000, window_ends_at: sql<Date>`now() + interval '1 hour'` })
    .execute();
const useUpNetwork = (name: string) => useUp(`${name}:${remoteAddress}`);
const know = (id: string, { id: userId }: Customer) => registerDevice(shop.db, { storeId: store, userId, id, name: undefined });

const xml = { 'content-type': 'text/xml' };
const json = { 'content-type': 'application/json' };

describe('on a network over its limit of wrong passwords', () => {
  const signIn = (email: string, password: string, query = {}) =>
    call('/user/signin', { query, headers: basic(email, password) });
  beforeEach(() => useUpNetwork('network'));

  test('an unknown device is answered alike for a right and a wrong password, and a known device signs in', async () => {
    await know(DEVICE, customer);
    const [right, wrong, unknownAccount] = [
      await signIn(customer.email, PASSWORD),
      await signIn(customer.email, 'a guess of it'),
      await signIn(`${randomUUID()}@example.org`, PASSWORD, { deviceid: DEVICE }),
    ];
    const told = ({ statusCode, body, headers }: typeof right) => ({ statusCode, body, wait: headers['retry-after'] });
    expect(told(right)).toEqual({ statusCode: 429, body: right.body, wait: '900' });
    expect([told(wrong), told(unknownAccount)]).toEqual([told(right), told(right)]);
    expect((await signIn(customer.email, PASSWORD, { deviceid: DEVICE })).statusCode).toBe(200);
  });

  test('a signed-in customer without a device changes the password', async () => {
    const payload = `<UserDetails><NewPassword>another one, and long</NewPassword><CurrentPassword>${PASSWORD}</CurrentPassword></UserDetails>`;
    const { accesstoken } = customer.query;
    const changed = await call('/user/details', { query: { accesstoken }, method: 'POST', headers: xml, payload });
    expect([changed.statusCode, changed.body]).toEqual([200, expect.stringContaining('Ok')]);
  });
});

test('one IPv6 /48 cannot use up the wrong passwords that an account allows its other strangers', async () => {
  let checked = 0;
  for (let line = 0; line < 12; line += 1)
    for (let guess = 0; guess < 5; guess += 1) {
      const from = `2001:db8:5:${line.toString(16)}::1`;
      const { statusCode } = await call('/user/signin', { headers: basic(customer.email, 'a guess of it') }, from);
      if (statusCode === 401) checked += 1;
    }
  expect(checked).toBe(40);
  const counted = await shop.db
    .selectFrom('sign_in_attempts')
    .select('failures')
    .where('store_id', '=', store)
    .where('subject', '=', `account:${customer.email}`)
    .executeTakeFirst();
  expect(counted).toEqual({ failures: 40 });
  expect((await call('/user/signin', { headers: basic(customer.email, PASSWORD) })).statusCode).toBe(200);
});

describe('a link for a new password', () => {
  const ask = (email: string, query = {}) => call('/user/forgotpassword', { query: { email, ...query } });

  test('is sent for a device that the account knows, even if strangers have used up the limit', async () => {
    await know(DEVICE, customer);
    await useUpNetwork('reset');
    await useUp(`reset-account:${customer.email}`);
    expect((await ask(customer.email)).statusCode).toBe(429);
    expect((await ask(customer.email, { deviceid: 'made-up' })).statusCode).toBe(429);
    expect((await ask(customer.email, { deviceid: DEVICE })).statusCode).toBe(200);
  });

  test('is sent five times an hour for one known device, also at the same moment', async () => {
    await know(DEVICE, customer);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(customer.email, { deviceid: DEVICE })));
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 429, 429, 429,
    ]);
  });

  test('works on a network that has tried too many bad ones, and bad ones are refused there', async () => {
    await useUpNetwork('reset-link');
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
  beforeEach(() => Promise.all([useUpNetwork('provider'), useUpNetwork('passkey-offer')]));

  const start = (query = {}) =>
    call('/user/provider/start', {
      query,
      method: 'POST',
      headers: xml,
      payload: '<StartProviderSignIn><ProviderId>unknown</ProviderId></StartProviderSignIn>',
    });
  const passkey = (query = {}) => call('/user/passkey/start', { query, method: 'POST' });

  test('a device that a customer has signed in on is let through, and strangers wait', async () => {
    await know(DEVICE, customer);
    const known = { deviceid: DEVICE };
    const statuses = async (query: object) =>
      (await Promise.all([start(query), passkey(query), passkey({ ...query, autofill: 'true' })])).map((each) => each.statusCode);
    expect(await statuses({})).toEqual([429, 429, 429]);
    expect(await statuses({ deviceid: 'made-up' })).toEqual([429, 429, 429]);
    // Past the limit, the provider is unknown.
    expect(await statuses(known)).toEqual([404, 200, 200]);
  });

  test('a signed-in customer is let through', async () => {
    const { accesstoken } = customer.query;
    const body = { method: 'POST' as const, headers: json, payload: { providerId: 'unknown' } };
    expect((await call('/user/ways/start', { query: { accesstoken }, ...body })).statusCode).toBe(404);
    expect((await call('/user/passkeys/start', { query: { accesstoken }, method: 'POST' })).statusCode).toBe(200);
  });

  test('many devices of one customer are counted as that customer', async () => {
    for (let at = 0; at < 61; at += 1) await know(`${customer.id}-${at}`, customer);
    const statuses = [];
    for (let at = 0; at < 61; at += 1) statuses.push((await passkey({ deviceid: `${customer.id}-${at}` })).statusCode);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe('on a network over its limit of redeem codes', () => {
  const look = (code: string, query = {}) => call('/redeem/apply', { query: { code, ...query } });

  test('customers are let through by session and by known device, and strangers wait', async () => {
    const code = await codeIn(shop, store, { grants: 'title:book' });
    await know(DEVICE, customer);
    await useUpNetwork('redeem');
    await useUpNetwork('redeem-visitor');
    expect((await look(code)).statusCode).toBe(429);
    expect((await look(code, { accesstoken: customer.query.accesstoken })).statusCode).toBe(200);
    expect((await look(code, { deviceid: DEVICE })).statusCode).toBe(200);
  });

  test('a known device guesses no more than its customer', async () => {
    const id = randomUUID();
    await know(id, customer);
    const answers = await Promise.all(Array.from({ length: 9 }, (_, at) => look(`WRONG${at}`, { deviceid: id })));
    expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(6);
    expect((await look('WRONG', { accesstoken: customer.query.accesstoken })).statusCode).toBe(429);
  });
});
