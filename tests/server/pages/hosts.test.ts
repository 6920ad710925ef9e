import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerOf } from '../support/customers.ts';
import { CARDS, pay, type Session } from '../support/paying.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let published: Shop;
beforeAll(async () => {
  shop = await openShop();
  published = await openShop({ config: { publicUrl: 'https://books.example:8443' } });
});
afterAll(async () => {
  await shop.close();
  await published.close();
});

/** Addresses of this machine's own network interfaces, as hosts. */
const machineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

const configAt = async ({ app }: Shop, host: string) => {
  const answer = await app.inject({ url: '/config.json', headers: { host } });
  return answer.statusCode === 200 ? answer.json<{ storeId: string; storeAddress: string }>() : answer.statusCode;
};

test('each host has its own store, the server’s own hosts the default one, any other none', async () => {
  const here = await shop.store({ host: 'here.example' });
  const there = await shop.store({ host: 'there.example' });
  const main = await shop.store({ isDefault: true });
  expect(await configAt(shop, 'here.example')).toEqual({
    apiBase: '/api',
    storeAddress: 'http://here.example',
    storeId: here,
    storeParameter: 'shelfid',
    appId: 'web',
    paymentLiveMode: false,
    paymentPublicKey: '',
    paymentMethods: ['wallet'],
    mapsKey: '',
    additions: expect.arrayContaining(['gift/preview', 'user/titles']),
  });
  expect(await configAt(shop, 'there.example:8080')).toMatchObject({ storeId: there, storeAddress: 'http://there.example' });
  for (const own of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', ...machineAddresses()])
    expect(await configAt(shop, `${own}:4400`), own).toMatchObject({ storeId: main, storeAddress: `http://${own}` });
  for (const strange of [
    'elsewhere.example',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example',
    '1.2.3',
    '203.0.113.66',
    '[2001:db8::66]:4400',
  ])
    expect(await configAt(shop, strange), strange).toBe(404);
});

test('a host is kept as browsers name it, and asked for in any letters', async () => {
  const named = await shop.store({ host: 'Bücher.Example' });
  for (const host of ['xn--bcher-kva.example', 'XN--BCHER-KVA.example'])
    expect(await configAt(shop, host)).toMatchObject({ storeId: named });
  for (const host of ['books.example:4400', 'books.example/shop', 'no host'])
    await expect(shop.store({ host })).rejects.toThrow();
});

test('with a public address a server is known by that alone', async () => {
  const main = await published.store();
  const named = await published.store({ host: 'named.example' });
  expect(await configAt(published, 'books.example')).toMatchObject({ storeId: main, storeAddress: 'https://books.example:8443' });
  expect(await configAt(published, 'named.example')).toMatchObject({
    storeId: named,
    storeAddress: 'https://named.example:8443',
  });
  for (const strange of ['localhost', '127.0.0.1', 'elsewhere.example']) expect(await configAt(published, strange)).toBe(404);
});

/** Where the gateway sends a customer back to whose payment began under a host. */
async function returnAddress(at: Shop, store: string, host: string): Promise<string | number> {
  const customer = await customerOf(at, store);
  const query = { ...customer.query, titleId: 'book' };
  const session = await at.ask('paymentSession', '/payment/session', { query, headers: { host } });
  if (session.status !== 200) return session.status;
  const paid = await pay((session.value as Session).url, CARDS.good);
  return new URL(paid.headers.get('location') ?? '').origin;
}

test('a payment returns to the store’s own address, whatever host its call names', async () => {
  const claimed = await shop.store({ host: 'claimed.example' });
  const hostless = await shop.store();
  expect(await returnAddress(shop, claimed, 'claimed.example:8080')).toBe('http://claimed.example');
  expect(await returnAddress(shop, claimed, 'elsewhere.example')).toBe('http://claimed.example');
  expect(await returnAddress(shop, hostless, 'localhost:4400')).toBe('http://localhost');
  expect(await returnAddress(shop, hostless, 'elsewhere.example')).toBe(400);
  const main = await published.store({ isDefault: true, host: 'main.example' });
  expect(await returnAddress(published, main, 'books.example:8443')).toBe('https://books.example:8443');
  expect(await returnAddress(published, main, 'main.example:8443')).toBe('https://main.example:8443');
  const [behind, own] = [await published.store(), await published.store({ host: 'own.example' })];
  expect(await returnAddress(published, behind, 'elsewhere.example')).toBe('https://books.example:8443');
  expect(await returnAddress(published, own, 'elsewhere.example')).toBe('https://own.example:8443');
});
