import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({
    config: { adminToken: 'an operator’s token' },
    webhooks: { notifyUrl: 'http://127.0.0.1:1', lateDelayMs: 0 },
  });
  store = await shop.store({ isDefault: true });
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

type Method = 'GET' | 'POST';

const sendRequest = async (url: string, headers: Record<string, string>, method: Method = 'GET') => {
  const { statusCode, body } = await shop.app.inject({ method, url, headers });
  return statusCode === 403 && body === 'This server only answers requests from its own pages.' ? 'refused' : statusCode;
};

const makeFetchHeaders = (site: string, overrides: Record<string, string> = {}): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'empty',
  ...overrides,
});
const makeNavigationHeaders = (site: string, dest = 'document'): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': dest,
});

const makeFreePurchaseUrl = () =>
  `/api/purchase/free?${new URLSearchParams({ ...customer.query, titleId: 'gratis' }).toString()}`;
const selectPurchases = () => shop.db.selectFrom('purchases').select('id').where('user_id', '=', customer.id).execute();

test.each([
  ['another site', makeFetchHeaders('cross-site')],
  ['a neighbouring host', makeFetchHeaders('same-site')],
  ['a frame without an origin', makeFetchHeaders('cross-site', { origin: 'null' })],
  ['a frame without an origin in an old browser', { origin: 'null' }],
  ['a link on another site', makeNavigationHeaders('cross-site')],
  ['a picture in a book', makeFetchHeaders('same-origin', { 'sec-fetch-dest': 'image' })],
  ['a frame in a page', makeNavigationHeaders('same-origin', 'iframe')],
])('a call from %s reaches no handler, despite its token', async (_, headers) => {
  expect(await sendRequest(makeFreePurchaseUrl(), headers)).toBe('refused');
  expect(await sendRequest(makeFreePurchaseUrl().replace('/api', '/%61pi'), headers)).toBe('refused');
  expect(await selectPurchases()).toEqual([]);
});

test('a page without an origin in an old browser reaches pages of the shop, but no API call', async () => {
  const outcomePromises = ['/config.json', '/opds', '/api/titles'].map((url) => sendRequest(url, { origin: 'null' }));
  expect(await Promise.all(outcomePromises)).toEqual([200, 200, 'refused']);
});

test('URLs of operators and unknown URLs are refused to other sites as well', async () => {
  const crossSiteHeaders = makeFetchHeaders('cross-site');
  const outcomePromises = ['/admin/ssr', '/api/nothing', '/config.json', '/', '/anywhere'].map((url) =>
    sendRequest(url, crossSiteHeaders),
  );
  expect(await Promise.all(outcomePromises)).toEqual(Array(5).fill('refused'));
  expect(await sendRequest('/', makeNavigationHeaders('cross-site', 'iframe'))).toBe('refused');
});

test('calls from a page of the shop, an app, a server and a typed URL are accepted', async () => {
  const url = `/api/titles?shelfid=${store}`;
  const headerSets = [
    makeFetchHeaders('same-origin', { 'sec-fetch-mode': 'cors' }),
    {},
    { origin: 'https://app.example' },
    makeNavigationHeaders('none'),
  ];
  expect(await Promise.all(headerSets.map((headers) => sendRequest(url, headers)))).toEqual([200, 200, 200, 200]);
});

test.each([
  [
    'a page that a link, a payment page or a provider leads to',
    '/auth0loginCallback?code=1',
    makeNavigationHeaders('cross-site'),
    404,
  ],
  ['a media file of a title', '/media/abc.def/story.js', makeFetchHeaders('cross-site'), 403],
  ['a cover', '/media/covers/none/none/cover.jpg', makeFetchHeaders('cross-site'), 404],
  ['the feed for reading apps', '/opds', makeFetchHeaders('cross-site'), 200],
] as const)('other sites may request %s', async (_, url, headers, status) => {
  expect(await sendRequest(url, headers)).toBe(status);
});

test('other sites may send a webhook, which is protected by its signature', async () => {
  expect(await sendRequest('/webhooks/test', makeFetchHeaders('cross-site'), 'POST')).toBe(400);
});

test.each(['/', '/api/titles', '/media/abc.def/story.js', '/opds', '/healthz', 'a page of the test gateway'])(
  'no response lets a page use a device, a sensor or a payment sheet: %s',
  async (url) => {
    const headers = url.startsWith('/')
      ? new Headers((await shop.app.inject(url)).headers as Record<string, string>)
      : (await fetch(`${shop.gateway.origin}/pay/none`)).headers;
    const policy = String(headers.get('permissions-policy')).split(', ');
    for (const feature of [
      'camera',
      'microphone',
      'geolocation',
      'payment',
      'usb',
      'serial',
      'bluetooth',
      'midi',
      'display-capture',
    ])
      expect(policy).toContain(`${feature}=()`);
    for (const feature of ['fullscreen', 'autoplay', 'publickey-credentials-get', 'publickey-credentials-create', 'web-share'])
      expect(policy).toContain(`${feature}=(self)`);
  },
);
