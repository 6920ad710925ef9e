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

/** Addresses of this machine's own network interfaces, as hosts. */
const listMachineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));

const readConfigAt = async ({ app }: Shop, host: string) => {
  const answer = await app.inject({ url: '/config.json', headers: { host } });
  return answer.statusCode === 200 ? answer.json<{ storeId: string; storeAddress: string }>() : answer.statusCode;
};

test('each host has its own store, the server’s own hosts the default one, and other hosts are not found', async () => {
  const here = await shop.store({ host: 'here.example' });
  const there = await shop.store({ host: 'there.example' });
  const main = await shop.store({ isDefault: true });
  expect(await readConfigAt(shop, 'here.example')).toEqual({
    apiBase: '/api',
    storeAddress: 'http://here.example',
    storeId: here,
    storeParameter: 'shelfid',
    appId: 'web',
    paymentLiveMode: false,
    paymentPublicKey: '',
    paymentMethods: ['wallet'],
    wallets: ['test'],
    mapsKey: '',
    additions: expect.arrayContaining(['gift/preview', 'user/titles']),
  });
  expect(await readConfigAt(shop, 'there.example:8080')).toMatchObject({ storeId: there, storeAddress: 'http://there.example' });
  for (const own of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', ...listMachineAddresses()])
    expect(await readConfigAt(shop, `${own}:4400`), own).toMatchObject({ storeId: main, storeAddress: `http://${own}` });
  for (const strange of [
    'elsewhere.example',
    'localhost.elsewhere.example',
    '127.0.0.1.elsewhere.example',
    '1.2.3',
    '203.0.113.66',
    '[2001:db8::66]:4400',
  ])
    expect(await readConfigAt(shop, strange), strange).toBe(404);
});

test('a host is stored in its ASCII form, and matched in any case', async () => {
  const named = await shop.store({ host: 'Bücher.Example' });
  for (const host of ['xn--bcher-kva.example', 'XN--BCHER-KVA.example'])
    expect(await readConfigAt(shop, host)).toMatchObject({ storeId: named });
  for (const host of ['books.example:4400', 'books.example/shop', 'no host'])
    await expect(shop.store({ host })).rejects.toThrow();
});

test('with a public address a server accepts no other host of its own', async () => {
  const main = await publishedShop.store();
  const named = await publishedShop.store({ host: 'named.example' });
  expect(await readConfigAt(publishedShop, 'books.example')).toMatchObject({
    storeId: main,
    storeAddress: 'https://books.example:8443',
  });
  expect(await readConfigAt(publishedShop, 'named.example')).toMatchObject({
    storeId: named,
    storeAddress: 'https://named.example:8443',
  });
  for (const strange of ['localhost', '127.0.0.1', 'elsewhere.example'])
    expect(await readConfigAt(publishedShop, strange)).toBe(404);
});

/** The gateway's return address for a payment that started under a host. */
async function readReturnUrl(at: Shop, store: string, host: string): Promise<string | number> {
  const customer = await createCustomer(at, store);
  const query = { ...customer.query, titleId: 'book' };
  const session = await at.ask('paymentSession', '/payment/session', { query, headers: { host } });
  if (session.status !== 200) return session.status;
  const paid = await submitCardForm((session.value as Session).url, CARD_NUMBERS.good);
  return new URL(paid.headers.get('location') ?? '').origin;
}

test('a payment returns to the store’s own address, regardless of the Host header', async () => {
  const claimed = await shop.store({ host: 'claimed.example' });
  const hostless = await shop.store();
  expect(await readReturnUrl(shop, claimed, 'claimed.example:8080')).toBe('http://claimed.example');
  expect(await readReturnUrl(shop, claimed, 'elsewhere.example')).toBe('http://claimed.example');
  expect(await readReturnUrl(shop, hostless, 'localhost:4400')).toBe('http://localhost');
  expect(await readReturnUrl(shop, hostless, 'elsewhere.example')).toBe(400);
  const main = await publishedShop.store({ isDefault: true, host: 'main.example' });
  expect(await readReturnUrl(publishedShop, main, 'books.example:8443')).toBe('https://books.example:8443');
  expect(await readReturnUrl(publishedShop, main, 'main.example:8443')).toBe('https://main.example:8443');
  const [behind, own] = [await publishedShop.store(), await publishedShop.store({ host: 'own.example' })];
  expect(await readReturnUrl(publishedShop, behind, 'elsewhere.example')).toBe('https://books.example:8443');
  expect(await readReturnUrl(publishedShop, own, 'elsewhere.example')).toBe('https://own.example:8443');
});
