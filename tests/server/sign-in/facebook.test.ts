import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

const app = { appId: '1234567890', appSecret: 'known to both' };

/** What the stand-in for Facebook says of the token that it gives out; and what it was asked. */
type Profile = { id?: string; name?: string; email?: string };
let profile: Profile | string;
let tokenStatus: number;
const asked: { token?: URLSearchParams; profile?: { query: URLSearchParams; authorization: string | undefined } } = {};

let facebook: Server;
let origin: string;
let shop: Shop;
let store: string;

beforeAll(async () => {
  facebook = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://facebook.example');
    const say = (status: number, value: unknown) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=UTF-8' })
        .end(typeof value === 'string' ? value : JSON.stringify(value));
    if (pathname === '/me') {
      asked.profile = { query: searchParams, authorization: request.headers.authorization };
      return void say(typeof profile === 'object' ? 200 : 500, profile);
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      asked.token = new URLSearchParams(body);
      if (asked.token.get('code') !== 'good') return void say(400, { error: { message: 'This code has been used.' } });
      return void say(tokenStatus, { access_token: 'of-facebook', token_type: 'bearer', expires_in: 5_000_000 });
    });
  }).listen(0, '127.0.0.1');
  await once(facebook, 'listening');
  origin = `http://127.0.0.1:${(facebook.address() as AddressInfo).port}`;
  shop = await openShop();
  const addresses = { authorizeUrl: `${origin}/dialog`, tokenUrl: `${origin}/token`, profileUrl: `${origin}/me` };
  store = await shop.store({ providers: [{ kind: 'facebook', ...app, ...addresses }] });
});
beforeEach(() => {
  profile = { id: randomUUID(), name: 'Ann' };
  tokenStatus = 200;
});
afterAll(async () => {
  await shop.close();
  facebook.close();
});

const begin = async (shelfid = store) =>
  (
    await shop.ask('startProviderSignIn', '/user/provider/start', {
      query: { shelfid, appid: 'web' },
      body: '<StartProviderSignIn><ProviderId>facebook</ProviderId></StartProviderSignIn>',
    })
  ).value as { Url: string; State: string };

const finish = async (code = 'good') => {
  const { State } = await begin();
  return shop.ask('finishProviderSignIn', '/user/provider/finish', {
    query: { shelfid: store, appid: 'web' },
    body: `<FinishProviderSignIn><State>${State}</State><Code>${code}</Code></FinishProviderSignIn>`,
  });
};
const userOf = async () => ((await finish()).value as { UserId: string }).UserId;

test('leads to Facebook’s own dialog, where nothing else is set', async () => {
  const { Url } = await begin(await shop.store({ providers: [{ kind: 'facebook', ...app }] }));
  const url = new URL(Url);
  expect(url.origin + url.pathname).toMatch(/^https:\/\/www\.facebook\.com\/v\d+\.0\/dialog\/oauth$/);
  expect(url.searchParams.get('client_id')).toBe(app.appId);
});

test('signs in whom Facebook knows, and knows them again [S2.signin/providers]', async () => {
  profile = { id: '42', name: 'Ann', email: `${randomUUID()}@example.org` };
  const userId = await userOf();
  const row = await shop.db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
  expect(row).toMatchObject({ email: profile.email, name: 'Ann', password_hash: null, email_verified_at: null });
  expect(asked.token?.get('client_secret')).toBe(app.appSecret);
  expect(asked.token?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
  expect(asked.token?.get('redirect_uri')).toBe('http://localhost/auth0loginCallback');
  expect(asked.profile?.authorization).toBe('Bearer of-facebook');
  expect(asked.profile?.query.get('fields')).toBe('id,name,email');
  expect(asked.profile?.query.get('appsecret_proof')).toBe(
    createHmac('sha256', app.appSecret).update('of-facebook').digest('hex'),
  );
  profile = { id: '42', name: 'Ann, married' };
  expect(await userOf()).toBe(userId);
});

test('the address that Facebook tells opens nobody’s account', async () => {
  const customer = await customerOf(shop, store);
  profile = { id: randomUUID(), name: 'Ann', email: customer.email };
  expect(await finish()).toMatchObject({ status: 409, value: { Code: 'email_unverified' } });
});

test.each<[string, () => void, number, string]>([
  ['a code that Facebook does not take', () => {}, 409, 'provider_refused'],
  ['a profile without an id', () => (profile = { name: 'Ann' }), 409, 'provider_refused'],
  ['a server of tokens that has failed', () => (tokenStatus = 503), 502, 'provider_unreachable'],
  ['a profile that does not come', () => (profile = 'Sorry'), 502, 'provider_unreachable'],
])('%s is said', async (what, arrange, status, Code) => {
  arrange();
  expect(await finish(what.startsWith('a code') ? 'bad' : 'good')).toMatchObject({ status, value: { Code } });
});

test('joins an account that is signed in, which it then opens, whatever address it tells', async () => {
  const customer = await customerOf(shop, store);
  const { query } = customer;
  const { state } = (await shop.ask('startJoining', '/user/ways/start', { query, body: { providerId: 'facebook' } })).value as {
    state: string;
  };
  profile = { id: randomUUID(), email: customer.email };
  const answer = await shop.ask('joinProvider', '/user/ways/join', { query, body: { state, code: 'good' } });
  expect(answer).toMatchObject({ status: 200, value: { providers: [{ providerId: 'facebook', joined: true }] } });
  expect((await finish()).value).toMatchObject({ UserId: customer.id });
  const user = shop.db.selectFrom('users').select('email_verified_at').where('id', '=', customer.id);
  expect((await user.executeTakeFirstOrThrow()).email_verified_at).toBeNull();
});
