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

const readProviderNames = async (): Promise<string[]> => {
  const rows = await shop.db.selectFrom('providers').select('name').where('store_id', '=', store).orderBy('position').execute();
  return rows.map(({ name }) => name);
};

const startSignIn = async (providerId: string) =>
  (
    await shop.call('startProviderSignIn', '/user/provider/start', {
      query: { shelfid: store, appid: 'web' },
      body: `<StartProviderSignIn><ProviderId>${providerId}</ProviderId></StartProviderSignIn>`,
    })
  ).value as { Url: string; State: string };

const finishSignIn = (state: string, code: string) =>
  shop.call('finishProviderSignIn', '/user/provider/finish', {
    query: { shelfid: store, appid: 'web', deviceid: randomUUID(), devicename: 'Chrome, Linux' },
    body: `<FinishProviderSignIn><State>${state}</State><Code>${code}</Code></FinishProviderSignIn>`,
  });

/** Fills in the provider's page as a browser would. @returns the URL of the redirect */
const signInAtTestPage = async (url: string, email: string): Promise<URL> => {
  const page = await (await fetch(url)).text();
  expect(page).toContain('<input id="email"');
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ email, name: 'Ann Lee' }),
    redirect: 'manual',
  });
  expect(response.status).toBe(303);
  return new URL(response.headers.get('location') ?? '');
};

test('the demo store offers each of the four test providers once', async () => {
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await readProviderNames()).toEqual(['Facebook', 'Google', 'Auth0', 'Phone']);
});

test.each(['google', 'auth0', 'facebook'])('%s signs in a customer by address, later to the same account', async (provider) => {
  const email = `${randomUUID()}@example.org`;
  const signInCustomer = async () => {
    const { Url, State } = await startSignIn(provider);
    const redirectUrl = await signInAtTestPage(Url, email);
    expect(redirectUrl.origin + redirectUrl.pathname).toBe('http://localhost/auth0loginCallback');
    expect(redirectUrl.searchParams.get('state')).toBe(State);
    const { status, value } = await finishSignIn(State, redirectUrl.searchParams.get('code') ?? '');
    return [status, (value as { UserId: string }).UserId];
  };
  const firstResult = await signInCustomer();
  expect(firstResult[0]).toBe(200);
  expect(await signInCustomer()).toEqual(firstResult);
});

test('a test provider does not open an account that was made in another way', async () => {
  const customer = await createCustomer(shop, store);
  const { Url, State } = await startSignIn('google');
  const redirectUrl = await signInAtTestPage(Url, customer.email);
  const { status, value } = await finishSignIn(State, redirectUrl.searchParams.get('code') ?? '');
  expect(status === 200 ? (value as { UserId: string }).UserId : status).not.toBe(customer.id);
});

test.each([
  ['another shop’s address', (query: URLSearchParams) => query.set('redirect_uri', 'https://elsewhere.example/steal')],
  ['another client', (query: URLSearchParams) => query.set('client_id', 'somebody')],
])('a test provider’s page is refused for %s', async (_, change) => {
  const url = new URL((await startSignIn('google')).Url);
  change(url.searchParams);
  expect((await fetch(url)).status).toBe(400);
});

test('a test provider’s page is shown again for a text that is not an e-mail address', async () => {
  const { Url } = await startSignIn('google');
  const response = await fetch(Url, { method: 'POST', body: new URLSearchParams({ email: 'nobody' }), redirect: 'manual' });
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('Enter an email address.');
});

test('a code with a wrong verifier is refused by the test providers of OpenID Connect', async () => {
  const { Url } = await startSignIn('google');
  const redirectUrl = await signInAtTestPage(Url, `${randomUUID()}@example.org`);
  const form = {
    code: redirectUrl.searchParams.get('code') ?? '',
    redirect_uri: 'http://localhost/auth0loginCallback',
    code_verifier: 'guessed',
  };
  for (const provider of ['google', 'auth0']) {
    const response = await fetch(`${shop.gateway.origin}/providers/${provider}/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    expect([response.status, await response.json()]).toEqual([400, { error: 'invalid_grant' }]);
  }
});

test('an operator’s providers are not replaced by test providers, which are removed without a test gateway', async () => {
  await offerTestProviders(shop.db, 'http://gateway.example');
  expect(await readProviderNames()).toEqual([]);
  await saveProviders(shop.db, store, [{ kind: 'phone', name: 'By text message' }]);
  await offerTestProviders(shop.db, shop.gateway.origin);
  expect(await readProviderNames()).toEqual(['By text message']);
});
