import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Customer, createCustomer } from '../support/customers.ts';
import { openShop, type Shop } from '../support/shop.ts';

let shop: Shop;
let store: string;
let customer: Customer;
beforeAll(async () => {
  shop = await openShop({
    config: { adminToken: 'an operator’s token' },
    webhooks: { notifyUrl: 'http://127.0.0.1:1', late: 0 },
  });
  store = await shop.store({ isDefault: true });
  customer = await createCustomer(shop, store);
});
afterAll(() => shop.close());

type Method = 'GET' | 'POST';

const sendWith = async (url: string, headers: Record<string, string>, method: Method = 'GET') => {
  const { statusCode, body } = await shop.app.inject({ method, url, headers });
  return statusCode === 403 && body === 'This server only answers requests from its own pages.' ? 'refused' : statusCode;
};

const fetchHeaders = (site: string, more: Record<string, string> = {}): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'no-cors',
  'sec-fetch-dest': 'empty',
  ...more,
});
const navigationHeaders = (site: string, dest = 'document'): Record<string, string> => ({
  'sec-fetch-site': site,
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': dest,
});

const freePurchaseUrl = () => `/api/purchase/free?${new URLSearchParams({ ...customer.query, titleId: 'gratis' }).toString()}`;
const selectPurchases = () => shop.db.selectFrom('purchases').select('id').where('user_id', '=', customer.id).execute();

test.each([
  ['another site', fetchHeaders('cross-site')],
  ['a neighbouring host', fetchHeaders('same-site')],
  ['a frame without an origin', fetchHeaders('cross-site', { origin: 'null' })],
  ['such a frame in an old browser', { origin: 'null' }],
  ['a link on another site', navigationHeaders('cross-site')],
  ['a picture in a book', fetchHeaders('same-origin', { 'sec-fetch-dest': 'image' })],
  ['a frame in a page', navigationHeaders('same-origin', 'iframe')],
])('a call from %s reaches no handler, despite its token', async (_, headers) => {
  expect(await sendWith(freePurchaseUrl(), headers)).toBe('refused');
  expect(await sendWith(freePurchaseUrl().replace('/api', '/%61pi'), headers)).toBe('refused');
  expect(await selectPurchases()).toEqual([]);
});

test('a page without an origin in an old browser reaches pages of the shop, but no API call', async () => {
  const all = ['/config.json', '/opds', '/api/titles'].map((url) => sendWith(url, { origin: 'null' }));
  expect(await Promise.all(all)).toEqual([200, 200, 'refused']);
});

test('an operator’s address and an unknown one are refused to other sites as well', async () => {
  const foreign = fetchHeaders('cross-site');
  const asked = ['/admin/ssr', '/api/nothing', '/config.json', '/', '/anywhere'].map((url) => sendWith(url, foreign));
  expect(await Promise.all(asked)).toEqual(Array(5).fill('refused'));
  expect(await sendWith('/', navigationHeaders('cross-site', 'iframe'))).toBe('refused');
});

test('a page of the shop, an app, a server and a typed address are accepted', async () => {
  const url = `/api/titles?shelfid=${store}`;
  const all = [
    fetchHeaders('same-origin', { 'sec-fetch-mode': 'cors' }),
    {},
    { origin: 'https://app.example' },
    navigationHeaders('none'),
  ];
  expect(await Promise.all(all.map((headers) => sendWith(url, headers)))).toEqual([200, 200, 200, 200]);
});

test.each([
  [
    'a page that a link, a payment page or a provider leads to',
    '/auth0loginCallback?code=1',
    navigationHeaders('cross-site'),
    404,
  ],
  ['a media file of a title', '/media/abc.def/story.js', fetchHeaders('cross-site'), 403],
  ['a cover', '/media/covers/none/none/cover.jpg', fetchHeaders('cross-site'), 404],
  ['the feed for reading apps', '/opds', fetchHeaders('cross-site'), 200],
] as const)('the exceptions let through %s', async (_, url, headers, status) => {
  expect(await sendWith(url, headers)).toBe(status);
});

test('the exceptions let through a webhook, which is protected by its signature', async () => {
  expect(await sendWith('/webhooks/test', fetchHeaders('cross-site'), 'POST')).toBe(400);
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
