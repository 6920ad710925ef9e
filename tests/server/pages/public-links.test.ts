import { request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAddressWarning } from '../../../server/stores/public-address.ts';
import { getFirstLink } from '../../../tools/shop/emails.ts';
import { createCustomer } from '../support/customers.ts';
import { readEmailsTo } from '../support/outbox.ts';
import { openShop, type Shop } from '../support/shop.ts';

const OWN_HOST = 'here.example';

let shop: Shop;
let port: number;
let storeWithoutHost: string;
let storeWithHost: string;
beforeAll(async () => {
  shop = await openShop({ trustedProxies: ['127.0.0.1'] });
  storeWithoutHost = await shop.store({ isDefault: true });
  storeWithHost = await shop.store({ host: OWN_HOST });
  await shop.app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = shop.app.server.address() as AddressInfo);
});
test('a proxy’s protocol header cannot add to the content security policy', async () => {
  const readFrameSources = async (protocol: string) => {
    const headers = { host: 'books.example', 'x-forwarded-proto': protocol };
    const response = await shop.app.inject({ url: '/healthz', headers });
    return String(response.headers['content-security-policy'])
      .split('; ')
      .filter((each) => each.startsWith('frame-src'));
  };
  expect(await readFrameSources('https')).toEqual(['frame-src https://books.example/media/']);
  expect(await readFrameSources('x; script-src *; y')).toEqual(['frame-src http://books.example/media/']);
});

afterAll(() => shop.close());

/** Sends a request with exactly these headers, which `fetch` would correct. */
const sendRequest = (path: string, headers: Record<string, string>): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const call = request({ port, path, headers, host: '127.0.0.1' }, (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => (body += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    call.on('error', reject);
    call.end();
  });

/** @returns the origin of the link in the e-mail for a forgotten password, or a refusal's status */
async function readResetOrigin(store: string, headers: Record<string, string>): Promise<string | number> {
  const { email } = await createCustomer(shop, store);
  const query = new URLSearchParams({ shelfid: store, appid: 'web', email });
  const { status } = await sendRequest(`/api/user/forgotpassword?${query.toString()}`, headers);
  const [resetEmail] = await readEmailsTo(shop, email);
  if (status !== 200) {
    expect(resetEmail).toBeUndefined();
    return status;
  }
  if (!resetEmail) throw new Error(`No e-mail was sent to ${email}.`);
  return new URL(getFirstLink(resetEmail)).origin;
}

const MALFORMED_HOSTS = [
  'localhost:80@evil.example',
  `${OWN_HOST}:80@evil.example`,
  'localhost:80#@evil.example',
  'localhost/evil.example',
  'localhost\\evil.example',
  'http://localhost',
  'localhost evil.example',
  'localhost:',
  'localhost:65536',
  'localhost:80:80',
  '::1',
  '[::1',
  '[::1]evil.example',
  '[evil.example]',
  '.localhost',
  'a..b',
  '-',
  `${'a'.repeat(256)}`,
];

describe.each(['host', 'x-forwarded-host'])('the header %s', (name) => {
  test.each(MALFORMED_HOSTS)('the malformed host %s is answered 400 before any handler runs', async (value) => {
    const headers = { host: 'localhost', [name]: value };
    expect(await readResetOrigin(storeWithoutHost, headers)).toBe(400);
    expect(await readResetOrigin(storeWithHost, headers)).toBe(400);
    for (const path of ['/', '/config.json', '/sitemap.xml', '/opds', '/healthz', '/api/nothing', '/media/nothing']) {
      const { status, body } = await sendRequest(path, headers);
      expect([path, status, body]).toEqual([path, 400, expect.stringContaining('expected a name or an address')]);
    }
  });

  test.each(['evil.example', '203.0.113.66', '[2001:db8::66]', 'localhost.evil.example'])(
    'a host that is not the shop’s is used in no link: %s',
    async (value) => {
      const headers = { host: 'localhost', [name]: value };
      expect(await readResetOrigin(storeWithoutHost, headers)).toBe(400);
      expect(await readResetOrigin(storeWithHost, headers)).toBe(`http://${OWN_HOST}:${port}`);
      expect((await sendRequest('/config.json', headers)).status).toBe(404);
      expect((await sendRequest('/sitemap.xml', headers)).body).not.toContain(value);
    },
  );

  test('a header selects only among the shop’s hosts, and sets neither port nor scheme', async () => {
    const makeHeaders = (value: string) => ({ host: 'localhost', [name]: value, 'x-forwarded-proto': 'https' });
    expect(await readResetOrigin(storeWithoutHost, makeHeaders('localhost:1'))).toBe(`http://localhost:${port}`);
    expect(await readResetOrigin(storeWithoutHost, makeHeaders('127.0.0.1'))).toBe(`http://127.0.0.1:${port}`);
    expect(await readResetOrigin(storeWithHost, makeHeaders(`${OWN_HOST.toUpperCase()}:8080`))).toBe(
      `http://${OWN_HOST}:${port}`,
    );
    const config = JSON.parse((await sendRequest('/config.json', makeHeaders(`${OWN_HOST}:8080`))).body) as object;
    expect(config).toMatchObject({ storeId: storeWithHost, storeAddress: `http://${OWN_HOST}:${port}` });
    for (const path of ['/sitemap.xml', '/robots.txt', '/opds'])
      expect((await sendRequest(path, makeHeaders(`${OWN_HOST}:8080`))).body).toContain(`http://${OWN_HOST}:${port}/`);
  });
});

test.each([
  ['an empty host is malformed in HTTP/1.1', 'GET /healthz HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n', 400],
  ['HTTP/1.0 may leave the host out', 'GET /healthz HTTP/1.0\r\n\r\n', 200],
])('%s', async (_, text, status) => {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  const response = Buffer.concat((await socket.toArray()) as Buffer[]).toString();
  expect(response.split(' ')[1]).toBe(String(status));
});

test('links of a store with a host never contain an IP address of the computer', async () => {
  const address = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (address === undefined) return console.log('skipped: this machine has no network interface except loopback');
  const separateShop = await openShop();
  const defaultStore = await separateShop.store({ host: OWN_HOST, isDefault: true });
  const { email } = await createCustomer(separateShop, defaultStore);
  const query = new URLSearchParams({ shelfid: defaultStore, appid: 'web', email });
  const url = `/api/user/forgotpassword?${query.toString()}`;
  expect((await separateShop.app.inject({ url, headers: { host: `${address}:4400` } })).statusCode).toBe(200);
  expect((await readEmailsTo(separateShop, email)).map((mail) => new URL(getFirstLink(mail)).origin)).toEqual([
    `http://${OWN_HOST}`,
  ]);
  await separateShop.close();
  return undefined;
});

describe('the check of the shop’s URL at startup', () => {
  const liveProvider = { name: 'stripe', isLive: true, publicKey: '', secretKey: '', webhookSecret: '' } as const;
  const settings = {
    host: '0.0.0.0',
    port: 4400,
    publicUrl: undefined,
    certificate: undefined,
    provider: undefined,
    trustedProxies: 0,
  };

  test('PUBLIC_URL is recommended where the shop is reachable by others, and required with a live provider', async () => {
    const separateShop = await openShop();
    await separateShop.store();
    const check = (overrides: object) => findAddressWarning({ ...settings, ...overrides }, separateShop.db);
    expect(await check({})).toContain('Set PUBLIC_URL');
    for (const host of ['127.0.0.1', '::1', 'localhost']) {
      expect(await check({ host })).toBeUndefined();
      expect(await check({ host, trustedProxies: 1 })).toContain('Set PUBLIC_URL');
      await expect(check({ host, provider: liveProvider })).rejects.toThrow('Set PUBLIC_URL');
    }
    expect(await check({ provider: liveProvider, publicUrl: 'https://books.example' })).toBeUndefined();
    await separateShop.store({ host: 'shop.localhost' });
    await expect(check({ provider: liveProvider })).rejects.toThrow('Set PUBLIC_URL');
    await separateShop.store({ host: OWN_HOST });
    expect(await check({ provider: liveProvider })).toContain(`Links begin with http://${OWN_HOST}:4400,`);
    expect(await check({ port: 80 })).toBeUndefined();
    expect(await check({ port: 80, trustedProxies: 1 })).toContain(`Links begin with http://${OWN_HOST},`);
    expect(await check({ port: 443, certificate: { cert: '', key: '' } })).toBeUndefined();
    await separateShop.close();
  });
});
