import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const facebookApp = { appId: '1234567890', appSecret: 'known to both' };

type Profile = { id?: string; name?: string; email?: string };
/** Profile that the fake Facebook returns; a string is sent with status 500. */
let profile: Profile | string;
let tokenStatus: number;
/** The last requests that the fake Facebook received. */
const receivedCalls: { token?: URLSearchParams; profile?: { query: URLSearchParams; authorization: string | undefined } } = {};

let facebook: Server;
let origin: string;
let shop: Shop;
let store: string;

beforeAll(async () => {
  facebook = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://facebook.example');
    const respond = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
        .end(typeof value === 'string' ? value : JSON.stringify(value));
    if (pathname === '/me') {
      receivedCalls.profile = { query: searchParams, authorization: request.headers.authorization };
      return void respond(typeof profile === 'object' ? 200 : 500, profile);
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      receivedCalls.token = new URLSearchParams(body);
      if (receivedCalls.token.get('code') !== 'good')
        return void respond(400, { error: { message: 'This code has been used.' } });
      return void respond(tokenStatus, { access_token: 'of-facebook', token_type: 'bearer', expires_in: 5_000_000 });
    });
  }).listen(0, '127.0.0.1');
  await once(facebook, 'listening');
  origin = `http://127.0.0.1:${(facebook.address() as AddressInfo).port}`;
  shop = await openShop();
  const endpoints = { authorizeUrl: `${origin}/dialog`, tokenUrl: `${origin}/token`, profileUrl: `${origin}/me` };
  store = await shop.store({ providers: [{ kind: 'facebook', ...facebookApp, ...endpoints }] });
});
beforeEach(() => {
  profile = { id: randomUUID(), name: 'Ann' };
  tokenStatus = 200;
});
afterAll(async () => {
  await shop.close();
  facebook.close();
});

const startSignIn = async (shelfid = store) =>
  (
    await shop.call('startProviderSignIn', '/user/provider/start', {
      query: { shelfid, appid: 'web' },
      body: '<StartProviderSignIn><ProviderId>facebook</ProviderId></StartProviderSignIn>',
    })
  ).value as { Url: string; State: string };

const finishSignIn = async (code = 'good') => {
  const { State } = await startSignIn();
  return shop.call('finishProviderSignIn', '/user/provider/finish', {
    query: { shelfid: store, appid: 'web' },
    body: `<FinishProviderSignIn><State>${State}</State><Code>${code}</Code></FinishProviderSignIn>`,
  });
};
const signInUserId = async () => ((await finishSignIn()).value as { UserId: string }).UserId;

test('a Facebook sign-in redirects to Facebook’s own dialog by default', async () => {
  const { Url } = await startSignIn(await shop.store({ providers: [{ kind: 'facebook', ...facebookApp }] }));
  const url = new URL(Url);
  expect(url.origin + url.pathname).toMatch(/^https:\/\/www\.facebook\.com\/v\d+\.0\/dialog\/oauth$/);
  expect(url.searchParams.get('client_id')).toBe(facebookApp.appId);
});

test('a Facebook account signs up a customer, and later signs in to the same account [S2.signin/providers]', async () => {
  profile = { id: '42', name: 'Ann', email: `${randomUUID()}@example.org` };
  const userId = await signInUserId();
  const row = await shop.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ email: profile.email, name: 'Ann', password_hash: null, email_verified_at: null });
  expect(receivedCalls.token?.get('client_secret')).toBe(facebookApp.appSecret);
  expect(receivedCalls.token?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  expect(receivedCalls.token?.get('redirect_uri')).toBe('http://localhost/auth0loginCallback');
  expect(receivedCalls.profile?.authorization).toBe('Bearer of-facebook');
  expect(receivedCalls.profile?.query.get('fields')).toBe('id,name,email');
  expect(receivedCalls.profile?.query.get('appsecret_proof')).toBe(
    createHmac('sha256', facebookApp.appSecret).update('of-facebook').digest('hex'),
  );
  profile = { id: '42', name: 'Ann, married' };
  expect(await signInUserId()).toBe(userId);
});

test('an address from Facebook does not open an existing account', async () => {
  const customer = await createCustomer(shop, store);
  profile = { id: randomUUID(), name: 'Ann', email: customer.email };
  expect(await finishSignIn()).toMatchObject({ status: 409, value: { Code: 'email_unverified' } });
});

test.each<[string, () => void, number, string]>([
  ['a code that Facebook refuses', () => {}, 409, 'provider_refused'],
  ['a profile without an id', () => (profile = { name: 'Ann' }), 409, 'provider_refused'],
  ['a token server that has failed', () => (tokenStatus = 503), 502, 'provider_unreachable'],
  ['a failed profile request', () => (profile = 'Sorry'), 502, 'provider_unreachable'],
])('a sign-in with %s is refused with a code', async (fault, arrange, status, Code) => {
  arrange();
  expect(await finishSignIn(fault.startsWith('a code') ? 'bad' : 'good')).toMatchObject({ status, value: { Code } });
});

test('a Facebook account that is joined to a customer’s account signs in to that account, without verifying its address', async () => {
  const customer = await createCustomer(shop, store);
  const { query } = customer;
  const { state } = (await shop.call('startJoining', '/user/ways/start', { query, body: { providerId: 'facebook' } })).value as {
    state: string;
  };
  profile = { id: randomUUID(), email: customer.email };
  const joinResponse = await shop.call('joinProvider', '/user/ways/join', { query, body: { state, code: 'good' } });
  expect(joinResponse).toMatchObject({ status: 200, value: { providers: [{ providerId: 'facebook', joined: true }] } });
  expect((await finishSignIn()).value).toMatchObject({ UserId: customer.id });
  const userQuery = shop.db.selectFrom('users').select('email_verified_at').where('id', '=', customer.id);
  expect((await userQuery.executeTakeFirstOrThrow()).email_verified_at).toBeNull();
});
