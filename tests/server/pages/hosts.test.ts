import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer } from '../support/customers.ts';
import { CARD_NUMBERS, submitCardForm, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let publishedShop: Shop;
beforeAll(async () => {
  shop = await openShop();
  publishedShop = await openShop({ config: { publicUrl: 'https://books.example:8443' } });
});
afterAll(async () => {
  await shop.close();
  await publishedShop.close();
});

/** @returns the IP addresses of this computer, as a Host header has them */
const listComputerAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

const readConfigAt = async ({ app }: Shop, host: string) => {
  const response = await app.inject({ url: '/config.json', headers: { host } });
  return response.statusCode === 200 ? response.json<{ storeId: string; storeAddress: string }>() : response.statusCode;
};

test('each host has its own store, the server’s own hosts have the default store, and other hosts are 404', async () => {
  const firstStore = await shop.store({ host: 'here.example' });
  const secondStore = await shop.store({ host: 'there.example' });
  const defaultStore = await shop.store({ isDefault: true });
  expect(await readConfigAt(shop, 'here.example')).toEqual({
    apiBase: '/api',
    storeAddress: 'http://here.example',
    storeId: firstStore,
    storeParameter: 'shelfid',
    appId: 'web',
    paymentLiveMode: false,
    paymentPublicKey: '',
    paymentMethods: ['wallet'],
    wallets: ['test'],
    mapsKey: '',
    additions: expect.arrayContaining(['gift/preview', 'user/titles']),
  });
  expect(await readConfigAt(shop, 'there.example:8080')).toMatchObject({
    storeId: secondStore,
    storeAddress: 'http://there.example',
  });
  for (const ownHost of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', ...listComputerAddresses()])
    expect(await readConfigAt(shop, `${ownHost}:4400`), ownHost).toMatchObject({
      storeId: defaultStore,
      storeAddress: `http://${ownHost}`,
    });
  for (const unknownHost of [
    'elsewhere.example',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example',
    '1.2.3',
    '203.0.113.66',
    '[2001:db8::66]:4400',
  ])
    expect(await readConfigAt(shop, unknownHost), unknownHost).toBe(404);
});

test('a host is stored in its ASCII form, and matched in any case', async () => {
  const storeWithHost = await shop.store({ host: 'Bücher.Example' });
  for (const host of ['xn--bcher-kva.example', 'XN--BCHER-KVA.example'])
    expect(await readConfigAt(shop, host)).toMatchObject({ storeId: storeWithHost });
  for (const host of ['books.example:4400', 'books.example/shop', 'no host'])
    await expect(shop.store({ host })).rejects.toThrow();
});

test('a server with a public URL accepts no other host of its own', async () => {
  const storeWithoutHost = await publishedShop.store();
  const storeWithHost = await publishedShop.store({ host: 'named.example' });
  expect(await readConfigAt(publishedShop, 'books.example')).toMatchObject({
    storeId: storeWithoutHost,
    storeAddress: 'https://books.example:8443',
  });
  expect(await readConfigAt(publishedShop, 'named.example')).toMatchObject({
    storeId: storeWithHost,
    storeAddress: 'https://named.example:8443',
  });
  for (const unknownHost of ['localhost', '127.0.0.1', 'elsewhere.example'])
    expect(await readConfigAt(publishedShop, unknownHost)).toBe(404);
});

/** @returns the origin to which the gateway returns from a payment, or the status of a refusal */
async function readReturnOrigin(payingShop: Shop, store: string, host: string): Promise<string | number> {
  const customer = await createCustomer(payingShop, store);
  const query = { ...customer.query, titleId: 'book' };
  const session = await payingShop.call('paymentSession', '/payment/session', { query, headers: { host } });
  if (session.status !== 200) return session.status;
  const redirect = await submitCardForm((session.value as Session).url, CARD_NUMBERS.good);
  return new URL(redirect.headers.get('location') ?? '').origin;
}

test('a payment returns to the store’s own host or else to a host of the shop, with any Host header', async () => {
  const storeWithHost = await shop.store({ host: 'claimed.example' });
  const storeWithoutHost = await shop.store();
  expect(await readReturnOrigin(shop, storeWithHost, 'claimed.example:8080')).toBe('http://claimed.example');
  expect(await readReturnOrigin(shop, storeWithHost, 'elsewhere.example')).toBe('http://claimed.example');
  expect(await readReturnOrigin(shop, storeWithoutHost, 'localhost:4400')).toBe('http://localhost');
  expect(await readReturnOrigin(shop, storeWithoutHost, 'elsewhere.example')).toBe(400);
  const defaultStore = await publishedShop.store({ isDefault: true, host: 'main.example' });
  expect(await readReturnOrigin(publishedShop, defaultStore, 'books.example:8443')).toBe('https://books.example:8443');
  expect(await readReturnOrigin(publishedShop, defaultStore, 'main.example:8443')).toBe('https://main.example:8443');
  const [storeAtPublicUrl, storeAtOwnHost] = [await publishedShop.store(), await publishedShop.store({ host: 'own.example' })];
  expect(await readReturnOrigin(publishedShop, storeAtPublicUrl, 'elsewhere.example')).toBe('https://books.example:8443');
  expect(await readReturnOrigin(publishedShop, storeAtOwnHost, 'elsewhere.example')).toBe('https://own.example:8443');
});
