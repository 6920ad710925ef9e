import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerTestProviders } from '../../../server/setup/test-providers.ts';
import { saveProviders } from '../../../server/setup/save-providers.ts';
import { customerOf } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
const store = 'harbour';
beforeAll(async () => {
  shop = await openShop();
  await shop.store({ id: store });
  await offerTestProviders(shop.db, shop.gateway.origin);
});
afterAll(() => shop.close());

const names = async (): Promise<string[]> => {
  const rows = await shop.db.selectFrom('providers').select('name').where('store_id', '=', store).orderBy('position').execute();
  return rows.map(({ name }) => name);
};

const begin = async (providerId: string) =>
  (
    await shop.ask('startProviderSignIn', '/user/provider/start', {
      query: { shelfid: store, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    })
  ).value as { Url: string; State: string };

const finish = (state: string, code: string) =>
  shop.ask('finishProviderSignIn', '/user/provider/finish', {
    query: { shelfid: store, appid: 'web', deviceid: randomUUID(), devicename: 'Chrome, Linux' },
    body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code></FinishProviderSignIn>`,
  });

/** Fills in the provider's page as a browser would. @returns where it leads back to */
const signInAt = async (url: string, email: string): Promise<URL> => {
  const page = await (await fetch(url)).text();
  expect(page).toContain('<input id="email"');
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ email, name: 'Ann Lee' }), redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
};

test('the demo store offers all four, once', async () => {
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await names()).toEqual(['Facebook', 'Google', 'Auth0', 'Phone']);
});

test.each(['google', 'auth0', 'facebook'])('%s signs in a customer by an address, and knows them again', async (provider) => {
  const email = `${randomUUID()}@example.org`;
  const comes = async () => {
    const { Url, State } = await begin(provider);
    const back = await signInAt(Url, email);
    expect(back.origin + back.pathname).toBe('http://localhost/auth0loginCallback');
    expect(back.searchParams.get('state')).toBe(State);
    const { status, value } = await finish(State, back.searchParams.get('code') ?? '');
    return [status, (value as { UserId: string }).UserId];
  };
  const first = await comes();
  expect(first[0]).toBe(200);
  expect(await comes()).toEqual(first);
});

test('no address opens an account that was made in another way', async () => {
  const customer = await customerOf(shop, store);
  const { Url, State } = await begin('google');
  const back = await signInAt(Url, customer.email);
  const { status, value } = await finish(State, back.searchParams.get('code') ?? '');
  expect(status === 200 ? (value as { UserId: string }).UserId : status).not.toBe(customer.id);
});

test.each([
  ['another shop’s address', (query: URLSearchParams) => query.set('redirect_uri', 'https://elsewhere.example/steal')],
  ['another client', (query: URLSearchParams) => query.set('client_id', 'somebody')],
])('the page opens for no %s', async (_, change) => {
  const url = new URL((await begin('google')).Url);
  change(url.searchParams);
  expect((await fetch(url)).status).toBe(400);
});

test('the page asks again for a text that is not an address', async () => {
  const { Url } = await begin('google');
  const answer = await fetch(Url, { method: 'POST', body: new URLSearchParams({ email: 'nobody' }), redirect: 'manual' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Enter an email address.');
});

test('a code is good for one provider, with the secret of its beginning, for ten minutes', async () => {
  const { Url } = await begin('google');
  const back = await signInAt(Url, `${randomUUID()}@example.org`);
  const form = {
    code: back.searchParams.get('code') ?? '',
    redirect_uri: 'http://localhost/auth0loginCallback',
    code_verifier: 'guessed',
  };
  for (const provider of ['google', 'auth0']) {
    const answer = await fetch(`${shop.gateway.origin}/providers/${provider}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect([answer.status, await answer.json()]).toEqual([400, { error: 'invalid_grant' }]);
  }
});

test('providers that an operator has given stay; without a test gateway its own are gone', async () => {
  await offerTestProviders(shop.db, 'http://gateway.example');
  expect(await names()).toEqual([]);
  await saveProviders(shop.db, store, [{ kind: 'phone', name: 'By text message' }]);
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await names()).toEqual(['By text message']);
});
