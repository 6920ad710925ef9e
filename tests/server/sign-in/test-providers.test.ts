import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { offerTestProviders } from '../../../server/setup/test-providers.ts';
import { saveProviders } from '../../../server/setup/save-providers.ts';
import { createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
const store = 'harbour';
beforeAll(async () => {
  shop = await openShop();
  await shop.store({ id: store });
  await offerTestProviders(shop.db, shop.gateway.origin);
});
afterAll(() => shop.close());

const providerNames = async (): Promise<string[]> => {
  const rows = await shop.db.selectFrom('providers').select('name').where('store_id', '=', store).orderBy('position').execute();
  return rows.map(({ name }) => name);
};

const startSignIn = async (providerId: string) =>
  (
    await shop.ask('startProviderSignIn', '/user/provider/start', {
      query: { shelfid: store, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    })
  ).value as { Url: string; State: string };

const finishSignIn = (state: string, code: string) =>
  shop.ask('finishProviderSignIn', '/user/provider/finish', {
    query: { shelfid: store, appid: 'web', deviceid: randomUUID(), devicename: 'Chrome, Linux' },
    body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code></FinishProviderSignIn>`,
  });

/** Fills in the provider's page as a browser would. @returns the redirect */
const signInAtTestPage = async (url: string, email: string): Promise<URL> => {
  const page = await (await fetch(url)).text();
  expect(page).toContain('<input id="email"');
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ email, name: 'Ann Lee' }), redirect: 'manual' });
  expect(answer.status).toBe(303);
  return new URL(answer.headers.get('location') ?? '');
};

test('the demo store offers all four, once', async () => {
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await providerNames()).toEqual(['Facebook', 'Google', 'Auth0', 'Phone']);
});

test.each(['google', 'auth0', 'facebook'])('%s signs in a customer by address, and recognises them later', async (provider) => {
  const email = `${randomUUID()}@example.org`;
  const comes = async () => {
    const { Url, State } = await startSignIn(provider);
    const back = await signInAtTestPage(Url, email);
    expect(back.origin + back.pathname).toBe('http://localhost/auth0loginCallback');
    expect(back.searchParams.get('state')).toBe(State);
    const { status, value } = await finishSignIn(State, back.searchParams.get('code') ?? '');
    return [status, (value as { UserId: string }).UserId];
  };
  const first = await comes();
  expect(first[0]).toBe(200);
  expect(await comes()).toEqual(first);
});

test('an address does not open an account that was made in another way', async () => {
  const customer = await createCustomer(shop, store);
  const { Url, State } = await startSignIn('google');
  const back = await signInAtTestPage(Url, customer.email);
  const { status, value } = await finishSignIn(State, back.searchParams.get('code') ?? '');
  expect(status === 200 ? (value as { UserId: string }).UserId : status).not.toBe(customer.id);
});

test.each([
  ['another shop’s address', (query: URLSearchParams) => query.set('redirect_uri', 'https://elsewhere.example/steal')],
  ['another client', (query: URLSearchParams) => query.set('client_id', 'somebody')],
])('the page is refused for %s', async (_, change) => {
  const url = new URL((await startSignIn('google')).Url);
  change(url.searchParams);
  expect((await fetch(url)).status).toBe(400);
});

test('the page is shown again for a text that is not an address', async () => {
  const { Url } = await startSignIn('google');
  const answer = await fetch(Url, { method: 'POST', body: new URLSearchParams({ email: 'nobody' }), redirect: 'manual' });
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('Enter an email address.');
});

test('a code is valid for one provider, with the verifier of its start, for ten minutes', async () => {
  const { Url } = await startSignIn('google');
  const back = await signInAtTestPage(Url, `${randomUUID()}@example.org`);
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

test('providers set by an operator stay; without a test gateway its own are removed', async () => {
  await offerTestProviders(shop.db, 'http://gateway.example');
  expect(await providerNames()).toEqual([]);
  await saveProviders(shop.db, store, [{ kind: 'phone', name: 'By text message' }]);
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await providerNames()).toEqual(['By text message']);
});
